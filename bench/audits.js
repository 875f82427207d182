// Audits: how often the interval of `vouch review --audit` holds the number of errors that were planted.
//
// A corpus with errors is reviewed once, and the list of all items with what is wrong in truth goes to bench_audits
// (repeat_audits.c), which draws and counts with the program's own code.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync, spawnSync } = require('child_process');

const { plant } = require('./plant.js');
const { asText } = require('./table.js');

const COMMON = ['random', 'types', 'words', 'annotator', 'name', 'weak'];
const CHUNK_NOISES = ['type', 'boundary', 'dropped', 'invented', ...COMMON];
const ARC_NOISES = ['anywhere', 'near', 'up', 'relation', ...COMMON];
const CORPORA = [
    { name: 'sample labels', task: 'ner', noises: CHUNK_NOISES, levels: ['word', 'chunk'] },
    { name: 'English labels', task: 'ner', file: 'seq/conll2003-en/eng.train', noises: CHUNK_NOISES,
        levels: ['word', 'chunk'] },
    { name: 'sample arcs', task: 'dep', noises: ARC_NOISES, levels: ['word'], share: 5 },
    { name: 'Danish arcs', task: 'dep', file: 'trees/da_ddt_cdt/train.conll', noises: ARC_NOISES, levels: ['word'],
        share: 5 },
];
const RATES = [0.005, 0.02, 0.05], LESSONS = 300;

function run({ build, folder, data, subset, only, noise, sentences, repeats, decisions, seed }) {
    const at = (name) => path.join(folder, name);
    const vouch = (args) => {
        const done = spawnSync(path.join(build, 'vouch'), args, { encoding: 'utf8', maxBuffer: 1 << 30 });
        if (done.status !== 0)
            throw new Error(`vouch ${args.join(' ')}: ${done.stderr}`);
        return done.stdout;
    };

    // The corpus, and other sentences of the same kind, from which the weak model learns.
    function prepare({ name, task, file, share = 1 }) {
        const count = Math.round(Number(sentences) / share), sort = task === 'dep' ? 'dep' : 'ner';
        const sample = (first, n) => vouch(['sample', '--kind', sort, '-n', String(n), '--first', String(first)])
            .replace(/^(#|-DOCSTART-).*\n/gm, '');
        if (!file)
            return [sample(0, count), sample(100000, LESSONS)];
        const text = execFileSync('xz', ['-dc', path.join(data, `${file}.xz`)],
            { maxBuffer: 1 << 30, encoding: 'utf8' });
        const whole = subset(text, count), own = new Set(whole.split('\n\n'));
        const others = text.split(/\n\s*\n/).filter((s) => s.trim() && !s.startsWith('-DOCSTART-') && !own.has(s));
        return [whole, others.slice(-LESSONS).join('\n\n') + '\n\n'];
    }

    // Each item of the list as "probability truth", the most suspect first.
    function listed({ task }, level, wrong) {
        const table = vouch(['review', '-q', '--task', task, '--level', level, '--inspect', 'all', '-j',
            String(os.cpus().length), at('noisy')]);
        const [head, ...rows] = table.trimEnd().split('\n').map((line) => line.split('\t'));
        const column = (name) => head.indexOf(name), line = column('line'), words = column('words');
        const error = column('error');
        return rows.map((row) => {
            let is = 0;
            for (let w = 0; w < Number(row[words]); w++)
                is = is || wrong.has(Number(row[line]) + w);
            return [row[error], is ? 1 : 0];
        });
    }

    const precision = (list) => {
        let found = 0, sum = 0;
        list.forEach(([, is], i) => {
            found += is;
            sum += is ? found / (i + 1) : 0;
        });
        return found ? sum / found : NaN;
    };

    const rows = [], held = {};
    for (const corpus of CORPORA.filter((c) => c.name.includes(only))) {
        const [clean, lessons] = prepare(corpus);
        fs.writeFileSync(at('clean'), clean);
        fs.writeFileSync(at('lessons'), lessons);
        for (const kind of corpus.noises.filter((n) => !noise || noise.split(',').includes(n)))
            for (const rate of RATES) {
                plant({ corpus: at('clean'), output: at('noisy'), planted: at('planted'), rate, seed: Number(seed),
                    noise: kind, lessons: at('lessons') });
                const wrong = new Set(fs.readFileSync(at('planted'), 'utf8').trimEnd().split('\n').slice(1)
                    .map((line) => Number(line.split('\t')[0])));
                if (!wrong.size)
                    continue;
                for (const level of corpus.levels) {
                    const list = listed(corpus, level, wrong);
                    const input = list.map((item) => item.join(' ')).join('\n') + '\n';
                    const sum = list.reduce((total, item) => total + Number(item[0]), 0);
                    for (const n of decisions.split(',')) {
                        const [holds, half, least, most, mean, truth] = execFileSync(path.join(build, 'bench_audits'),
                            [n, String(repeats)], { input, encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split(' ');
                        const key = `${corpus.name} ${level} ${n}`;
                        (held[key] = held[key] || []).push([Number(holds), Number(half) / list.length]);
                        rows.push([corpus.name, level, kind, `${100 * rate} %`, String(list.length), truth, n, holds,
                            half, least, most, mean, sum.toFixed(0), precision(list).toFixed(3)]);
                        console.log(rows[rows.length - 1].join('\t'));
                    }
                }
            }
    }
    const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
    console.log(asText({ title: `Audits: intervals that hold, of ${repeats}`,
        head: ['corpus, level, decisions', 'runs', 'least held', 'share held', 'half-width, % of items'],
        rows: Object.entries(held).map(([key, runs]) => [key, String(runs.length),
            String(Math.min(...runs.map((r) => r[0]))), (mean(runs.map((r) => r[0])) / repeats).toFixed(3),
            (100 * mean(runs.map((r) => r[1]))).toFixed(2)]), notes: [] }));
}

module.exports = { run };
