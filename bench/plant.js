#!/usr/bin/env node
// Plants annotation errors in a labelled corpus, to see whether they are found.
//
//     node plant.js --rate 0.02 --seed 1 CORPUS OUTPUT PLANTED
//
// CORPUS has CoNLL columns with chunk labels in the last one, or the ten columns of
// CoNLL-X. OUTPUT is the same file with errors; PLANTED says which: a line for each
// word whose label or arc was changed: line number, number of the error, its kind.
//
// Of chunks, a share of them (`rate`) is spoilt: `type` gives it another type of the
// corpus, `boundary` moves one end by a word, `dropped` makes it O, `random` leaves the
// chunk alone and labels one to three words that were O. Of trees, a share of the arcs:
// `random` hangs the word under any other word, `near` under the word next to its head,
// `up` under its head's head, `relation` gives the arc another relation. Trees stay trees.
//
// That is random noise. People err in more regular ways, and `noise` plants such errors, again in
// a share of all chunks or arcs: `types` confuses one type with another (ORG becomes LOC; of
// Danish trees, pobj becomes mod); `words` labels some words or names wrongly in half of their
// places, always in the same way (another type, or none; another relation, or the head's head);
// `annotator` spoils one of the kinds in a third of the file that stands together (MISC is not
// marked; words that are mod hang under their head's head); `name` labels some names wrongly in all of
// their places (of trees, words get another relation); `weak` copies errors of a weak tagger or parser
// that learned from other sentences (weak.js). One kind of random noise alone is planted by its name: of
// chunks `type`, `boundary`, `dropped` and `invented`, of arcs `anywhere`, `near`, `up` and `relation`.
'use strict';

const fs = require('fs');

const { weakLabels, weakHeads } = require('./weak.js');

// A small generator with a seed (mulberry32): the same errors on every machine.
function generator(seed) {
    let a = seed >>> 0;
    const next = () => {
        a = (a + 0x6D2B79F5) >>> 0;
        let t = Math.imul(a ^ (a >>> 15), a | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const below = (n) => Math.floor(next() * n);
    return { below, chance: (p) => next() < p, pick: (list) => list[below(list.length)] };
}

// Sentences as lists of {line, cells}; `lines` are all lines of the file.
function readCorpus(file) {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const sentences = [];
    let open = null;
    lines.forEach((line, at) => {
        if (line.trim() === '') {
            open = null;
            return;
        }
        const tab = line.includes('\t');
        const word = { at, cells: tab ? line.split('\t') : line.split(/ +/), tab };
        if (!open)
            sentences.push(open = []);
        open.push(word);
    });
    return { lines, sentences };
}

const last = (list) => list[list.length - 1];

// Chunks {from, to, type}, as conlleval reads labels.
function chunksOf(labels) {
    const chunks = [];
    let before = 'O';
    labels.forEach((label, i) => {
        const goesOn = label[0] === 'I' && before !== 'O' && before.slice(2) === label.slice(2);
        if (label !== 'O' && !goesOn)
            chunks.push({ from: i, to: i + 1, type: label.slice(2) });
        else if (label !== 'O')
            last(chunks).to = i + 1;
        before = label;
    });
    return chunks;
}

function labelsOf(chunks, N, iob1) {
    const labels = new Array(N).fill('O');
    for (const chunk of chunks)
        for (let i = chunk.from; i < chunk.to; i++) {
            const touches = i > 0 && labels[i - 1] !== 'O' && labels[i - 1].slice(2) === chunk.type;
            const first = i === chunk.from && (!iob1 || touches);
            labels[i] = (first ? 'B-' : 'I-') + chunk.type;
        }
    return labels;
}

const CHUNK_ERRORS = {
    type(chunk, all, N, types, random) {
        const type = random.pick(types.filter((t) => t !== chunk.type));
        return type ? all.map((c) => (c === chunk ? { ...c, type } : c)) : null;
    },
    boundary(chunk, all, N, types, random) {
        const moved = { ...chunk };
        const end = random.pick(['from', 'to']);
        moved[end] += random.pick([-1, 1]);
        const others = all.filter((c) => c !== chunk);
        const legal = moved.from < moved.to && moved.from >= 0 && moved.to <= N &&
            others.every((c) => c.to <= moved.from || c.from >= moved.to);
        return legal ? all.map((c) => (c === chunk ? moved : c)) : null;
    },
    dropped(chunk, all) {
        return all.filter((c) => c !== chunk);
    },
    random(chunk, all, N, types, random) {
        const from = random.below(N), to = from + 1 + random.below(3);
        const free = to <= N && all.every((c) => c.to <= from || c.from >= to);
        return free ? [...all, { from, to, type: random.pick(types) }].sort((a, b) => a.from - b.from) : null;
    },
};

function plantChunks(sentences, rate, random, note, only) {
    const labels = sentences.map((words) => words.map((w) => last(w.cells)));
    const iob1 = labels.some((l) => l.some((x, i) => x[0] === 'I' && (i === 0 || l[i - 1].slice(2) !== x.slice(2))));
    const types = [...new Set(labels.flat().filter((x) => x !== 'O').map((x) => x.slice(2)))].sort();
    const kinds = Object.keys(CHUNK_ERRORS).filter((kind) => (kind !== 'type' || types.length > 1) &&
        (!only || kind === only));
    sentences.forEach((words, s) => {
        let chunks = chunksOf(labels[s]);
        for (const chunk of chunks.slice()) {
            if (!random.chance(rate) || !chunks.includes(chunk))
                continue;
            const before = labelsOf(chunks, words.length, iob1);
            let spoilt = null, kind;
            for (let tries = 0; !spoilt && tries < 100; tries++) {
                kind = random.pick(kinds);
                spoilt = CHUNK_ERRORS[kind](chunk, chunks, words.length, types, random);
            }
            if (!spoilt)
                continue;
            chunks = spoilt;
            const after = labelsOf(chunks, words.length, iob1);
            note(words.filter((w, i) => before[i] !== after[i]), kind);
            words.forEach((w, i) => { w.cells[w.cells.length - 1] = after[i]; });
        }
    });
}

const HEAD = 6, RELATION = 7;

// Whether word `i` (from 1) is `head` or above it.
function above(words, i, head) {
    for (let at = head, steps = 0; at !== 0 && steps <= words.length; at = Number(words[at - 1].cells[HEAD]), steps++)
        if (at === i)
            return true;
    return false;
}

const ARC_ERRORS = {
    random: (words, i, head, random) => 1 + random.below(words.length),
    near: (words, i, head, random) => head + random.pick([-1, 1]),
    up: (words, i, head) => Number(words[head - 1].cells[HEAD]),
};

function plantArc(words, i, relations, random, only) {
    const cells = words[i - 1].cells, head = Number(cells[HEAD]);
    const kind = only || random.pick(['random', 'near', 'up', 'relation']);
    if (kind === 'relation') {
        cells[RELATION] = random.pick(relations.filter((r) => r !== cells[RELATION]));
        return kind;
    }
    const to = ARC_ERRORS[kind](words, i, head, random);
    if (to === head || to < 1 || to > words.length || above(words, i, to))
        return null;
    cells[HEAD] = String(to);
    return kind;
}

function plantArcs(sentences, rate, random, note, only) {
    const relations = [...new Set(sentences.flat().map((w) => w.cells[RELATION]))].sort();
    for (const words of sentences)
        words.forEach((word, n) => {
            if (Number(word.cells[HEAD]) === 0 || !random.chance(rate))
                return;
            let kind = null;
            for (let tries = 0; !kind && tries < 100; tries++)
                kind = plantArc(words, n + 1, relations, random, only);
            if (kind)
                note([word], kind);
        });
}

// Chunks of all sentences, and how to write them back: each as {s, chunk, text}.
function allChunks(sentences) {
    const labels = sentences.map((words) => words.map((w) => last(w.cells)));
    const iob1 = labels.some((l) => l.some((x, i) => x[0] === 'I' && (i === 0 || l[i - 1].slice(2) !== x.slice(2))));
    const chunks = labels.map(chunksOf);
    const list = chunks.flatMap((of, s) => of.map((chunk) => ({ s, chunk,
        text: sentences[s].slice(chunk.from, chunk.to).map((w) => w.cells[0]).join(' ') })));
    const set = ({ s, chunk }, type, kind, note) => {
        const words = sentences[s], before = words.map((w) => last(w.cells));
        chunks[s] = chunks[s].map((c) => (c === chunk ? { ...c, type } : c)).filter((c) => c.type !== 'O');
        const after = labelsOf(chunks[s], words.length, iob1);
        note(words.filter((w, i) => before[i] !== after[i]), kind);
        words.forEach((w, i) => { w.cells[w.cells.length - 1] = after[i]; });
    };
    return { list, set };
}

// What is taken for what, what is not marked, and what is hung wrongly: of relations, the first that a treebank has.
const CONFUSED = ['ORG', 'LOC'], UNMARKED = 'MISC';
const CONFUSED_RELATIONS = [['pobj', 'mod'], ['obj', 'obl']], MISHUNG = ['mod', 'nmod', 'compound'];

// In random order.
function shuffled(list, random) {
    const order = list.slice();
    for (let i = order.length - 1; i > 0; i--) {
        const k = random.below(i + 1);
        [order[i], order[k]] = [order[k], order[i]];
    }
    return order;
}

// Lists of what has the same text, in random order, those with fewer than `least` left out.
function byText(list, least, random) {
    const of = new Map();
    for (const item of list)
        of.set(item.text, [...(of.get(item.text) || []), item]);
    return shuffled([...of.values()].filter((items) => items.length >= least), random);
}

const SYSTEMATIC_CHUNKS = {
    types({ list, set }, count, random, note) {
        const [from, to] = CONFUSED;
        for (const item of shuffled(list.filter((c) => c.chunk.type === from), random).slice(0, count))
            set(item, to, 'types', note);
    },
    words({ list, set }, count, random, note) {
        const types = [...new Set(list.map((c) => c.chunk.type)), 'O'];
        for (const items of byText(list, 4, random)) {
            const to = random.pick(types.filter((t) => t !== items[0].chunk.type));
            for (const item of shuffled(items, random).slice(0, Math.ceil(items.length / 2)))
                if (count-- > 0 && item.chunk.type !== to)
                    set(item, to, 'words', note);
        }
    },
    name({ list, set }, count, random, note) {
        const types = [...new Set(list.map((c) => c.chunk.type)), 'O'];
        for (const items of byText(list, 6, random)) {
            const to = random.pick(types.filter((t) => t !== items[0].chunk.type));
            for (const item of items)
                if (count-- > 0 && item.chunk.type !== to)
                    set(item, to, 'name', note);
        }
    },
    annotator({ list, set }, count, random, note, sentences) {
        const third = Math.floor(sentences.length / 3), from = random.below(sentences.length - third);
        const own = list.filter((c) => c.s >= from && c.s < from + third && c.chunk.type === UNMARKED);
        for (const item of shuffled(own, random).slice(0, count))
            set(item, 'O', 'annotator', note);
    },
};

// Hangs a word under its head's head; false if that is the root.
function hangUp({ words, i }) {
    const cells = words[i].cells, head = Number(cells[HEAD]), to = head ? Number(words[head - 1].cells[HEAD]) : 0;
    if (to === 0)
        return false;
    cells[HEAD] = String(to);
    return true;
}

const SYSTEMATIC_ARCS = {
    types(list, count, random, note) {
        const has = (relation) => list.some((a) => a.relation === relation);
        const [from, to] = CONFUSED_RELATIONS.find((pair) => has(pair[0]));
        for (const { words, i } of shuffled(list.filter((a) => a.relation === from), random).slice(0, count)) {
            words[i].cells[RELATION] = to;
            note([words[i]], 'types');
        }
    },
    words(list, count, random, note) {
        const used = new Set(list.map((a) => a.relation));
        const relations = ['mod', 'nobj', 'subj', 'dobj', 'pobj', 'nsubj', 'obj', 'obl', 'nmod']
            .filter((r) => used.has(r));
        for (const arcs of byText(list.filter((a) => /\p{L}/u.test(a.text)), 8, random)) {
            const to = random.pick([null, ...relations.filter((r) => r !== arcs[0].relation)]);
            for (const arc of shuffled(arcs, random).slice(0, Math.min(20, Math.ceil(arcs.length / 2)))) {
                if (count <= 0 || arc.relation === to || (!to && !hangUp(arc)))
                    continue;
                if (to)
                    arc.words[arc.i].cells[RELATION] = to;
                note([arc.words[arc.i]], 'words');
                count--;
            }
        }
    },
    name(list, count, random, note) {
        const relations = [...new Set(list.map((a) => a.relation))].sort();
        for (const arcs of byText(list.filter((a) => /\p{L}/u.test(a.text)), 6, random)) {
            const to = random.pick(relations.filter((r) => r !== arcs[0].relation));
            for (const arc of arcs)
                if (arc.relation !== to && count-- > 0) {
                    arc.words[arc.i].cells[RELATION] = to;
                    note([arc.words[arc.i]], 'name');
                }
        }
    },
    annotator(list, count, random, note, sentences) {
        const third = Math.floor(sentences.length / 3), from = random.below(sentences.length - third);
        const mishung = MISHUNG.find((relation) => list.some((a) => a.relation === relation));
        const own = list.filter((a) => a.s >= from && a.s < from + third && a.relation === mishung);
        for (const arc of shuffled(own, random))
            if (count > 0 && hangUp(arc)) {
                note([arc.words[arc.i]], 'annotator');
                count--;
            }
    },
};

function plantSystematic(sentences, trees, noise, rate, random, note) {
    if (!trees) {
        const chunks = allChunks(sentences);
        SYSTEMATIC_CHUNKS[noise](chunks, Math.round(chunks.list.length * rate), random, note, sentences);
        return;
    }
    const arcs = sentences.flatMap((words, s) => words.map((w, i) => ({ s, words, i, text: w.cells[1],
        relation: w.cells[RELATION] }))).filter((a) => Number(a.words[a.i].cells[HEAD]) > 0);
    SYSTEMATIC_ARCS[noise](arcs, Math.round(arcs.length * rate), random, note, sentences);
}

// Errors of a weak tagger: what it says of some sentences where it is wrong, until a share of all chunks is spoilt.
function plantWeakChunks(sentences, answers, rate, random, note) {
    const labels = sentences.map((words) => words.map((w) => last(w.cells)));
    const iob1 = labels.some((l) => l.some((x, i) => x[0] === 'I' && (i === 0 || l[i - 1].slice(2) !== x.slice(2))));
    let left = Math.round(labels.reduce((sum, l) => sum + chunksOf(l).length, 0) * rate);
    const places = labels.flatMap((l, s) => l.map((_, i) => [s, i]));
    for (const [s, i] of shuffled(places, random)) {
        const chunks = chunksOf(sentences[s].map((w) => last(w.cells))), N = labels[s].length;
        const wanted = chunksOf(answers[s]).find((c) => c.from === i) || { from: i, to: i + 1, type: 'O' };
        const hit = chunks.filter((c) => c.from < wanted.to && wanted.from < c.to);
        const same = hit.length === 1 && hit[0].from === wanted.from && hit[0].to === wanted.to &&
            hit[0].type === wanted.type;
        if (left <= 0 || same || (wanted.type === 'O' && (hit.length === 0 || hit[0].from !== i)) ||
            sentences[s].some((w) => w.spoilt))
            continue;
        const after = labelsOf([...chunks.filter((c) => !hit.includes(c)), ...(wanted.type === 'O' ? [] : [wanted])]
            .sort((a, b) => a.from - b.from), N, iob1);
        const changed = sentences[s].filter((w, k) => last(w.cells) !== after[k]);
        if (!changed.length)
            continue;
        left--;
        note(changed, 'weak');
        sentences[s].forEach((w, k) => { w.cells[w.cells.length - 1] = after[k]; w.spoilt = true; });
    }
}

// Errors of a weak parser: heads of its own, in random order, as long as trees stay trees.
function plantWeakArcs(sentences, answers, rate, random, note) {
    const arcs = sentences.flatMap((words, s) => words.map((w, i) => [s, i])).filter(([s, i]) =>
        Number(sentences[s][i].cells[HEAD]) > 0);
    let left = Math.round(arcs.length * rate);
    for (const [s, i] of shuffled(arcs, random)) {
        const to = answers[s][i];
        if (left <= 0 || to < 1 || to === Number(sentences[s][i].cells[HEAD]) || above(sentences[s], i + 1, to))
            continue;
        sentences[s][i].cells[HEAD] = String(to);
        note([sentences[s][i]], 'weak');
        left--;
    }
}

const SINGLE = { type: 'type', boundary: 'boundary', dropped: 'dropped', invented: 'random', anywhere: 'random',
    near: 'near', up: 'up', relation: 'relation' };

function plant({ corpus, output, planted, rate, seed, noise = 'random', lessons }) {
    const { lines, sentences } = readCorpus(corpus);
    const trees = sentences[0][0].cells.length >= 10 && /^\d+$/.test(sentences[0][0].cells[HEAD]);
    const random = generator(seed), rows = [];
    let errors = 0;
    const texts = sentences.filter((s) => s[0].cells[0] !== '-DOCSTART-');
    const note = (words, kind) => {
        errors++;
        for (const w of words)
            rows.push(`${w.at + 1}\t${errors}\t${kind}`);
    };
    if (noise === 'random' || SINGLE[noise])
        (trees ? plantArcs : plantChunks)(texts, rate, random, note, SINGLE[noise]);
    else if (noise === 'weak') {
        const answers = (trees ? weakHeads : weakLabels)(readCorpus(lessons).sentences, texts);
        (trees ? plantWeakArcs : plantWeakChunks)(texts, answers, rate, random, note);
    } else
        plantSystematic(texts, trees, noise, rate, random, note);
    for (const w of sentences.flat())
        lines[w.at] = w.cells.join(w.tab ? '\t' : ' ');
    fs.writeFileSync(output, lines.join('\n'));
    fs.writeFileSync(planted, `line\terror\tkind\n${rows.join('\n')}\n`);
    return { errors, words: rows.length };
}

module.exports = { plant };

if (require.main === module) {
    const args = process.argv.slice(2), option = { rate: 0.02, seed: 1 };
    while (args[0] && args[0].startsWith('--'))
        option[args.shift().slice(2)] = Number(args.shift());
    const [corpus, output, planted] = args;
    if (!planted) {
        console.error('usage: node plant.js [--rate 0.02] [--seed 1] CORPUS OUTPUT PLANTED');
        process.exit(2);
    }
    console.log(JSON.stringify(plant({ corpus, output, planted, ...option })));
}
