// The section `cluster` of bench/speed: what learning in shards costs, on threads and on ranks (vouch-mpi), what ranks
// do by themselves and what they hand over, and how time and memory grow with the corpus.
//
// Ranks are measured by the CPU time that each spends outside MPI (mpi_meter.c), which does not depend on how many
// processors there are. Only the first table has wall times, with two threads or ranks at most.
'use strict';

const fs = require('fs');

const SHARDS = 16, RANKS = [2, 4, 8, 16], PASSES = 4;
const VOWELS = 'aeiou', CONSONANTS = 'bcdfghjklmnpqrstvwxyz';

const number = (value, digits) => value.toFixed(digits);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const total = (items, key) => items.reduce((sum, item) => sum + item[key], 0);
const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// What is learned: a corpus and options, in how many passes, and from how much of it to see how costs grow.
function lessons(lab) {
    const es = lab.corpus('es'), trees = lab.treebank('sv_talbanken');
    const tagger = { corpus: es, options: [], passes: 10, sizes: [1 / 4, 1, 4, 16] };
    const all = [{ ...tagger, learner: 'crf' }, { ...tagger, learner: 'cw' }];
    if (trees) /* whose arcs take twenty times as long */
        all.push({ corpus: trees, learner: 'crf', options: ['--unlabelled'], passes: 3, sizes: [1 / 4, 1, 4] });
    return all;
}

const trainArgs = ({ corpus, learner, options }, file, more) => ['train', '-q', '--no-calibrate', '-t', corpus.task,
    '-a', learner, ...options, ...more, file];

// ---- Threads and ranks, wall time ----

function compareWall(lab, lesson) {
    const model = (name) => lab.file(`wall.${name}.vouch`);
    const args = (name, shards, threads) => trainArgs(lesson, lesson.corpus.train,
        ['--shards', shards, '-j', threads, '-n', String(lesson.passes), '-o', model(name)]);
    const ways = [
        ['plain', () => lab.runs(args('plain', '1', '1'))[0]],
        ['one', () => lab.runs(args('one', '8', '1'))[0]],
        ['two', () => lab.runs(args('two', '8', '2'))[0]],
        ['ranks', () => lab.ranks(2, args('ranks', '8', '1'))],
    ];
    const walls = new Map(ways.map(([name]) => [name, []]));
    for (let turn = 0; turn < 3; turn++)
        for (const [name, run] of ways)
            walls.get(name).push(run().wall);
    const wall = (name) => middle(walls.get(name));
    const bytes = (name) => fs.readFileSync(model(name));
    const same = bytes('one').equals(bytes('two')) && bytes('one').equals(bytes('ranks'));
    return [lesson.corpus.name, lesson.learner, ...ways.map(([name]) => number(wall(name), 2)),
        number(wall('one') / wall('two'), 2), number(wall('one') / wall('ranks'), 2), same ? 'same' : 'DIFFERENT'];
}

function wallTable(lab) {
    return {
        title: 'Learning in shards, on threads and on ranks',
        head: ['corpus', 'learner', 'one shard', '8 shards', '-j 2', '2 ranks', '-j 2, ratio', '2 ranks, ratio',
            'model'],
        rows: lessons(lab).map((lesson) => compareWall(lab, lesson)),
        notes: ['Wall seconds of the whole command, ten passes, of trees three; the median of three runs, in turns.',
            'ratio: the time of 8 shards on one thread over that of two threads or ranks.'],
    };
}

// ---- Shards ----

// The seconds of a pass after the first, on one thread: the least of them.
function passSeconds(lab, lesson, shards) {
    const log = lab.file('log');
    fs.rmSync(log, { force: true });
    lab.runs(trainArgs(lesson, lesson.corpus.train, ['--shards', String(shards), '-j', '1', '-n', String(PASSES),
        '--log', log, '-o', lab.file('shards.vouch')]));
    const times = fs.readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
        .filter(({ event }) => event === 'pass').map(({ seconds }) => seconds);
    return Math.min(...times.slice(1));
}

function shardTable(lab) {
    const counts = [1, 2, 8, 16, 64];
    const rows = lessons(lab).map((lesson) => [lesson.corpus.name, lesson.learner,
        ...counts.map((shards) => number(passSeconds(lab, lesson, shards), 3))]);
    return {
        title: 'A pass, by the number of shards', head: ['corpus', 'learner', ...counts.map(String)], rows,
        notes: ['Wall seconds of a pass after the first, on one thread: the least of three.'],
    };
}

// ---- What a rank does ----

// The lines of mpi_meter.c as phases, of one rank: seconds of its own, and what it hands over.
function phases(lines, shards) {
    const calls = lines.map((line) => line.split('\t')).filter(([what]) => what !== 'end')
        .map(([what, , bytes, between, , wall]) => ({ what, bytes: +bytes, own: +between, wall: +wall }));
    const first = calls.findIndex(({ what }) => what === 'unite');
    const of = (what) => calls.slice(first).filter((call) => call.what === what);
    const met = calls.findIndex(({ what }, i) => i >= 1 && what.startsWith('sum'));
    const end = lines.at(-1).split('\t');
    return {
        reading: total(calls.slice(0, met + 1), 'own'),
        agreeing: total(calls.slice(met + 1, first), 'own'),
        gathered: total(calls.slice(0, first).filter(({ what }) => what === 'broadcast'), 'bytes'),
        start: calls[first].own,
        learning: mean(of('unite').slice(1).map(({ own }) => own)),
        packing: mean(of('sum').slice(1).map(({ own }) => own)),
        summing: mean(of('sum').slice(1).map(({ wall }) => wall)),
        mixing: mean(of(`sum ${shards + 1}`).slice(1).map(({ own }) => own)),
        sent: of('sum').map(({ bytes }) => bytes),
        peak: +end[2] * 1024,
    };
}

// The mean over the ranks, and the peak of the largest.
function measureRanks(lab, lesson, count, shards) {
    return lab.once(`ranks ${lesson.corpus.key} ${lesson.learner} ${count} ${shards}`, () => {
        const report = lab.file('meter');
        lab.ranks(count, trainArgs(lesson, lesson.corpus.train, ['--shards', String(shards), '-j', '1', '-n',
            String(PASSES), '-o', lab.file('rank.vouch')]), report);
        const each = Array.from({ length: count }, (_, rank) =>
            phases(fs.readFileSync(`${report}.${rank}`, 'utf8').trim().split('\n'), shards));
        const found = {};
        for (const key of Object.keys(each[0]))
            found[key] = key === 'sent' ? each[0].sent : mean(each.map((rank) => rank[key]));
        return { ...found, peak: Math.max(...each.map(({ peak }) => peak)) };
    });
}

const megabytes = (bytes) => number(bytes / 1e6, 1);

function rankTable(lab) {
    const rows = lessons(lab).flatMap((lesson) => RANKS.map((count) => {
        const rank = measureRanks(lab, lesson, count, SHARDS);
        return [lesson.corpus.name, lesson.learner, String(count), number(rank.reading, 3), number(rank.agreeing, 3),
            number(rank.start, 3), number(rank.learning, 4), number(rank.packing, 4), number(rank.mixing, 4),
            megabytes(rank.sent.at(-1)), megabytes(rank.gathered), megabytes(rank.peak)];
    }));
    return {
        title: `What a rank does, ${SHARDS} shards`, rows,
        head: ['corpus', 'learner', 'ranks', 'reading', 'agreeing', 'first pass', 'a pass', 'packing', 'mixing',
            'MB a pass', 'MB agreed on', 'peak MB'],
        notes: ['CPU seconds outside MPI, the mean over the ranks; of passes after the first, their mean.',
            'MB a pass: what each rank adds to the sum of all in the last pass. Peak: of the largest rank.'],
    };
}

// Least squares of y = a + b / R.
function fit(points) {
    const x = points.map(([ranks]) => 1 / ranks), y = points.map(([, value]) => value), mx = mean(x), my = mean(y);
    const b = mean(x.map((value, i) => (value - mx) * (y[i] - my))) / mean(x.map((value) => (value - mx) ** 2));
    const a = my - b * mx;
    const off = points.map(([ranks, value]) => Math.abs((a + b / ranks) / value - 1));
    return { a, b, off: Math.max(...off) };
}

function fitTable(lab) {
    const rows = lessons(lab).flatMap((lesson) => ['reading', 'learning', 'packing', 'mixing'].map((phase) => {
        const { a, b, off } = fit(RANKS.map((count) => [count, measureRanks(lab, lesson, count, SHARDS)[phase]]));
        const words = lab.words(lesson.corpus.train), each = (value) => number(1e6 * value / words, 3);
        return [lesson.corpus.name, lesson.learner, phase, each(a), each(b), number(100 * off, 0)];
    }));
    return {
        title: 'The same, fitted by a + b / ranks', rows,
        head: ['corpus', 'learner', 'phase', 'a', 'b', 'off by %'],
        notes: ['Microseconds a word of the corpus: of all ranks each, and shared by them. off: the largest error.'],
    };
}

function sentTable(lab) {
    const rows = lessons(lab).flatMap((lesson) => [8, 64].map((shards) => {
        const { sent, summing } = measureRanks(lab, lesson, 2, shards);
        return [lesson.corpus.name, lesson.learner, String(shards), ...[sent[0], sent[1], sent.at(-1)].map(megabytes),
            number(sent.at(-1) / lab.words(lesson.corpus.train), 0), number(summing, 3)];
    }));
    return {
        title: 'What two ranks hand over', rows,
        head: ['corpus', 'learner', 'shards', 'MB, pass 1', 'pass 2', `pass ${PASSES}`, 'bytes a word', 'wall s'],
        notes: ['The changes that each rank adds to the sum of all. Wall: of a pass, waiting included.'],
    };
}

// ---- Growth ----

// Letters of a word replaced by others, vowels by vowels.
function respell(word, by) {
    return [...word].map((letter, i) => {
        const small = letter.toLowerCase(), set = [VOWELS, CONSONANTS].find((letters) => letters.includes(small));
        const other = set && set[(set.indexOf(small) + by * (1 + i % 3)) % set.length];
        return !set ? letter : small === letter ? other : other.toUpperCase();
    }).join('');
}

// The corpus several times over: words that it has once are spelt differently in every copy, so that features grow.
function copies(lab, corpus, count) {
    return lab.once(`copies ${corpus.key} ${count}`, () => {
        const column = corpus.task === 'dep' ? 1 : 0, blank = corpus.task === 'dep' ? '\t' : ' ', seen = new Map();
        const lines = fs.readFileSync(corpus.train, 'utf8').trimEnd().split('\n').map((line) => line.split(blank));
        for (const cells of lines)
            seen.set(cells[column], (seen.get(cells[column]) || 0) + 1);
        const to = lab.file(`${corpus.key}.copies${count}`);
        fs.writeFileSync(to, '');
        const spell = (cells, copy) => (copy && seen.get(cells[column]) === 1
            ? cells.with(column, respell(cells[column], copy)) : cells);
        for (let copy = 0; copy < count; copy++)
            fs.appendFileSync(to, `${lines.map((cells) => spell(cells, copy).join(blank)).join('\n')}\n\n`);
        return to;
    });
}

// The first part of the corpus, or several copies of it.
function scaled(lab, corpus, size) {
    if (size >= 1)
        return size === 1 ? corpus.train : copies(lab, corpus, size);
    const to = lab.file(`${corpus.key}.part`), text = fs.readFileSync(corpus.train, 'utf8').split('\n\n');
    fs.writeFileSync(to, `${text.slice(0, Math.floor(text.length * size)).join('\n\n')}\n\n`);
    return to;
}

function growthRows(lab, lesson) {
    return lesson.sizes.map((size) => {
        const file = scaled(lab, lesson.corpus, size), words = lab.words(lesson.corpus.train) * size;
        const run = (passes) => lab.runs(trainArgs(lesson, file, ['--shards', '8', '-j', '1', '-n', String(passes),
            '-o', lab.file('grown.vouch')]))[0];
        const cost = (passes) => (size > 4 ? run(passes) : lab.median(() => run(passes)));
        const one = cost(1), pass = (cost(3).cpu - one.cpu) / 2;
        const each = (value) => number(1e6 * value / words, 2);
        return [lesson.corpus.name, lesson.learner, number(size, 2), number(words, 0),
            lesson.corpus.task === 'dep' ? '' : String(lab.featuresRead({ ...lesson.corpus, train: file })),
            each(one.cpu - pass), each(pass),
            megabytes(one.kilobytes * 1024)];
    });
}

function growthTable(lab) {
    return {
        title: 'Growth with the corpus, 8 shards', rows: lessons(lab).flatMap((lesson) => growthRows(lab, lesson)),
        head: ['corpus', 'learner', 'size', 'words', 'features', 'apart from passes', 'a pass', 'peak MB'],
        notes: ['CPU microseconds a word, one thread: of a pass, and of all else (reading, the start, writing);',
            'from runs of one pass and of three, medians of three runs up to size 4.',
            'Sizes above one are copies, in each of which the words that the corpus has once are spelt differently.'],
    };
}

function cluster(lab) {
    const tables = [growthTable(lab)];
    if (!lab.hasRanks())
        return [...tables, { title: 'Ranks', head: [''], rows: [], notes: ['vouch-mpi or mpirun is not there.'] }];
    return [wallTable(lab), shardTable(lab), rankTable(lab), fitTable(lab), sentTable(lab), ...tables];
}

module.exports = { cluster, tables: { wallTable, shardTable, rankTable, fitTable, sentTable, growthTable } };
