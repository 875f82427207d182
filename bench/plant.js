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
'use strict';

const fs = require('fs');

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

function plantChunks(sentences, rate, random, note) {
    const labels = sentences.map((words) => words.map((w) => last(w.cells)));
    const iob1 = labels.some((l) => l.some((x, i) => x[0] === 'I' && (i === 0 || l[i - 1].slice(2) !== x.slice(2))));
    const types = [...new Set(labels.flat().filter((x) => x !== 'O').map((x) => x.slice(2)))].sort();
    const kinds = Object.keys(CHUNK_ERRORS).filter((kind) => kind !== 'type' || types.length > 1);
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

function plantArc(words, i, relations, random) {
    const cells = words[i - 1].cells, head = Number(cells[HEAD]);
    const kind = random.pick(['random', 'near', 'up', 'relation']);
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

function plantArcs(sentences, rate, random, note) {
    const relations = [...new Set(sentences.flat().map((w) => w.cells[RELATION]))].sort();
    for (const words of sentences)
        words.forEach((word, n) => {
            if (Number(word.cells[HEAD]) === 0 || !random.chance(rate))
                return;
            let kind = null;
            for (let tries = 0; !kind && tries < 100; tries++)
                kind = plantArc(words, n + 1, relations, random);
            if (kind)
                note([word], kind);
        });
}

function plant({ corpus, output, planted, rate, seed }) {
    const { lines, sentences } = readCorpus(corpus);
    const trees = sentences[0][0].cells.length >= 10 && /^\d+$/.test(sentences[0][0].cells[HEAD]);
    const random = generator(seed), rows = [];
    let errors = 0;
    const texts = sentences.filter((s) => s[0].cells[0] !== '-DOCSTART-');
    (trees ? plantArcs : plantChunks)(texts, rate, random, (words, kind) => {
        errors++;
        for (const w of words)
            rows.push(`${w.at + 1}\t${errors}\t${kind}`);
    });
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
