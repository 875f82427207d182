// Review in rounds: a person who knows the truth decides on the list of `vouch review`, fifty rows at
// a time, and each list follows from the decisions before it; against one list of as many rows.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync, spawnSync } = require('child_process');

const { plant } = require('./plant.js');
const { asText } = require('./table.js');

const CORPORA = [
    { name: 'English NER', task: 'ner', file: 'seq/conll2003-en/eng.train' },
    { name: 'Spanish NER', task: 'ner', file: 'seq/conll2002-es/esp.train' },
    { name: 'Danish trees', task: 'dep', file: 'trees/da_ddt_cdt/train.conll' },
];
const NOISES = [['random', 0.01], ['random', 0.02], ['random', 0.05], ['types', 0.02], ['types', 0.05],
    ['words', 0.02], ['words', 0.05], ['annotator', 0.02], ['annotator', 0.05]];
const ROUNDS = 5, ROWS = 50;

// A table as {head, rows}, each row an object with its cells.
function readTable(file) {
    const [head, ...rows] = fs.readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
    return { head, rows: rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] || '']))) };
}

function writeTable(file, { head, rows }) {
    fs.writeFileSync(file, [head, ...rows.map((row) => head.map((name) => row[name]))]
        .map((cells) => cells.join('\t')).join('\n') + '\n');
}

// Lines of a file as lists of cells.
const readCells = (file) => fs.readFileSync(file, 'utf8').split('\n')
    .map((line) => (line.includes('\t') ? line.split('\t') : line.split(/ +/)));

// Whether heads still lead to the root, once the word on line `at` has another one.
function staysTree(cells, at, head) {
    const first = at - Number(cells[at][0]) + 1;
    for (let next = head, steps = 0; next > 0; steps++) {
        if (first + next - 1 === at || steps > 1000)
            return false;
        next = Number(cells[first + next - 1][6]);
    }
    return true;
}

// The person: accepts what is true, corrects what is not, keeps what was right. `now` is what the file is once all is
// applied; an arc that would close a cycle before others are corrected is left open.
function decide(row, truth, now, trees) {
    const at = Number(row.line) - 1;
    const right = trees ? `${truth[at][6]}:${truth[at][7]}` : truth[at][truth[at].length - 1];
    if (row.given === right)
        return '-';
    if (!trees)
        return row.proposed === right ? '+' : right;
    if (!staysTree(now, at, Number(truth[at][6])) || (row.given.startsWith('0:') !== right.startsWith('0:')))
        return '';
    now[at][6] = truth[at][6];
    return row.proposed === right && !row.also ? '+' : right;
}

function review(vouch, { task }, file, output, inspect, tables) {
    const started = process.hrtime.bigint();
    const done = spawnSync(vouch, ['review', '-q', '--task', task, '--inspect', String(inspect), '-o', output,
        '--new-labels', ...tables.flatMap((table) => ['--decided', table]), file].filter((x) => tables.length ||
        x !== '--new-labels'), { encoding: 'utf8' });
    if (done.status !== 0)
        throw new Error(`vouch review: ${done.stderr}`);
    return Number(process.hrtime.bigint() - started) / 1e9;
}

// Errors among the rows, and how many there were expected to be.
function count(rows, planted) {
    return { found: rows.filter((row) => planted.has(row.line)).length,
        expected: rows.reduce((sum, row) => sum + Number(row.error), 0) };
}

function play(context, corpus, noise, rate, seed) {
    const { vouch, folder, data, sentences, subset } = context, trees = corpus.task === 'dep';
    const at = (end) => path.join(folder, `${corpus.name.replace(/ /g, '-')}.${noise}.${rate}.${seed}.${end}`);
    const text = execFileSync('xz', ['-dc', path.join(data, `${corpus.file}.xz`)],
        { maxBuffer: 1 << 30, encoding: 'utf8' });
    fs.writeFileSync(at('clean'), subset(text, sentences));
    plant({ corpus: at('clean'), output: at('txt'), planted: at('planted'), rate, seed, noise });
    const planted = new Set(readTable(at('planted')).rows.map((row) => row.line).filter((line) => line));
    const truth = readCells(at('clean')), now = readCells(at('txt'));
    const once = review(vouch, corpus, at('txt'), at('once.tsv'), ROUNDS * ROWS, []);
    const list = readTable(at('once.tsv')).rows;
    const tables = [], rounds = [], errors = planted.size, inList = count(list, planted);
    let seconds = 0;
    for (let round = 1; round <= ROUNDS; round++) {
        const file = at(`round${round}.tsv`);
        seconds = review(vouch, corpus, at('txt'), file, ROWS, tables);
        const table = readTable(file);
        rounds.push(count(table.rows, planted));
        for (const row of table.rows) // one that is left open is listed again, and counts once
            planted.delete(row.line);
        for (const row of table.rows)
            row.decision = decide(row, truth, now, trees);
        writeTable(file, table);
        tables.push(file);
    }
    return { errors, list: inList, rounds, once, seconds };
}

const sum = (list) => list.reduce((a, b) => a + b, 0);

function run(context) {
    const rows = [], notes = [];
    for (const corpus of CORPORA.filter((c) => c.name.includes(context.only)))
        for (const [noise, rate] of NOISES.filter(([name, share]) =>
            `${name} ${100 * share}`.includes(context.noise))) {
            const runs = [];
            for (let seed = context.seed; seed < context.seed + context.seeds; seed++)
                runs.push(play(context, corpus, noise, rate, seed));
            const list = sum(runs.map((r) => r.list.found));
            const found = sum(runs.flatMap((r) => r.rounds.map((x) => x.found)));
            const each = runs[0].rounds.map((_, i) => sum(runs.map((r) => r.rounds[i].found)));
            rows.push([corpus.name, `${noise} ${100 * rate} %`, String(sum(runs.map((r) => r.errors))), String(list),
                String(found), `${found >= list ? '+' : ''}${(100 * (found / list - 1)).toFixed(0)} %`, each.join(' '),
                `${sum(runs.flatMap((r) => r.rounds.map((x) => x.expected))).toFixed(0)}`,
                `${Math.max(...runs.map((r) => r.once)).toFixed(1)} / ${Math.max(...runs.map((r) => r.seconds))
                    .toFixed(1)}`]);
            if (context.progress)
                console.error(rows[rows.length - 1].join(' | '));
        }
    notes.push(`sums over ${context.seeds} seeds from ${context.seed}; ${ROUNDS * ROWS} rows each.`);
    console.log(asText({ title: `Errors found by ${ROUNDS} rounds of ${ROWS} decisions, and by one list`,
        head: ['corpus', 'noise', 'errors', 'one list', 'rounds', 'more', 'each round', 'expected', 'seconds'],
        rows, notes }));
}

module.exports = { run };
