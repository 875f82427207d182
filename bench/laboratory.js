// What the sections of bench/speed measure with: a temporary folder, the corpora in
// it, measured runs of vouch and of CRFsuite, and their scores.
//
// Every measurement is a process of its own. vouch's cost is that of the whole
// command as the kernel counted it (measure.c); CRFsuite's is what crfsuite_peer.c and
// binding.js count of themselves once their input is in memory.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn, spawnSync } = require('child_process');

const { readSentences } = require('./expand.js');

const ROOT = path.dirname(__dirname);
const PEER = path.join(ROOT, 'build', 'bench', 'crfsuite');

// Above this many CPU seconds a single run has to do; below, it is the median of three.
const LONG = 20;

const CORPORA = {
    np: { name: 'NP chunking', task: 'np', train: 'conll2000/train.txt', test: 'conll2000/test.txt' },
    en: { name: 'English NER', task: 'ner', train: 'conll2003-en/eng.train', test: 'conll2003-en/eng.testb' },
    es: { name: 'Spanish NER', task: 'ner', train: 'conll2002-es/esp.train', test: 'conll2002-es/esp.testb' },
};

function command(program, args, options = {}) {
    const done = spawnSync(program, args, { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    if (done.error)
        throw new Error(`${program}: ${done.error.message}`);
    if (done.status !== 0) {
        const said = String(done.stderr || '').trim().split('\n').slice(-5).join('\n');
        throw new Error(`${path.basename(program)} ${args.join(' ')}: failed (${done.signal || done.status})\n${said}`);
    }
    return done.stdout;
}

// Removes the folder when this process has ended, however it ended: the pipe to the shell closes with it.
function removeAfterwards(folder) {
    const broom = spawn('sh', ['-c', 'cat >/dev/null; rm -rf "$1"', 'sh', folder],
        { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    broom.unref();
    broom.stdin.unref();
}

const json = (program, args, options) => JSON.parse(command(program, args, options).toString());

class Laboratory {
    constructor({ data, vouch }) {
        this.data = data;
        this.vouch = vouch;
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vouch-bench-'));
        removeAfterwards(this.folder);
        this.made = new Map();
        this.meter = this.file('measure');
        command(process.env.CC || 'cc', ['-O2', '-o', this.meter, path.join(__dirname, 'measure.c')]);
    }

    file(name) {
        return path.join(this.folder, name);
    }

    // What `make` returns, made once for a name.
    once(name, make) {
        if (!this.made.has(name))
            this.made.set(name, make());
        return this.made.get(name);
    }

    hasPeer() {
        return fs.existsSync(PEER);
    }

    hasBinding() {
        return spawnSync(process.execPath, ['-e', 'require("crfsuite")'], { cwd: __dirname }).status === 0;
    }

    // One of the CORPORA decompressed: {key, name, task, train, test}, the last two being files.
    corpus(key) {
        return this.once(`corpus ${key}`, () => {
            const corpus = { key, ...CORPORA[key] };
            for (const part of ['train', 'test']) {
                const from = path.join(this.data, 'seq', `${corpus[part]}.xz`);
                const to = this.file(`${key}.${part}`);
                const out = fs.openSync(to, 'w');
                command('xz', ['-dc', from], { stdio: ['ignore', out, 'pipe'] });
                fs.closeSync(out);
                corpus[part] = to;
            }
            return corpus;
        });
    }

    // A treebank of `data` like a corpus of CORPORA, or null if it is not there.
    treebank(name) {
        const folder = path.join(this.data, 'trees', name);
        if (!fs.existsSync(folder))
            return null;
        return this.once(`treebank ${name}`, () => {
            const trees = { key: name, name, task: 'dep' };
            for (const part of ['train', 'test']) {
                trees[part] = this.file(`${name}.${part}`);
                fs.writeFileSync(trees[part], command('xz', ['-dc', path.join(folder, `${part}.conll.xz`)]));
            }
            return trees;
        });
    }

    // A model as plain `vouch train` makes it, but with fewer passes, which do not change the time of using it.
    calibrated(corpus) {
        return this.once(`calibrated ${corpus.key}`, () => {
            const model = this.file(`${corpus.key}.calibrated.vouch`);
            this.runs(['train', '-q', '-j', '2', '-t', corpus.task, '-n', '2', '-o', model, corpus.train]);
            return model;
        });
    }

    // The corpus's test file `times` over, one after the other, each with an end of its own.
    repeated(corpus, times) {
        return this.once(`${corpus.key} ${times}`, () => {
            const to = this.file(`${corpus.key}.x${times}`), file = fs.readFileSync(corpus.test);
            const text = Buffer.concat([file, Buffer.from(file.at(-1) === 10 ? '' : '\n\n')]);
            fs.writeFileSync(to, '');
            for (let n = 0; n < times; n++)
                fs.appendFileSync(to, text);
            return to;
        });
    }

    words(file) {
        return this.once(`words ${file}`, () => {
            let words = 0;
            for (const sentence of readSentences(fs.readFileSync(file, 'utf8')))
                words += sentence.length;
            return words;
        });
    }

    // Runs vouch `times` over; its standard output goes to the file `output`. One cost a run.
    runs(args, { times = 1, output = '/dev/null' } = {}) {
        const report = this.file('report'), out = fs.openSync(output, 'w');
        command(this.meter, [report, String(times), this.vouch, ...args], { stdio: ['ignore', out, 'pipe'] });
        fs.closeSync(out);
        return fs.readFileSync(report, 'utf8').trim().split('\n').map((line) => {
            const [user, system, wall, kilobytes] = line.split(' ').map(Number);
            return { cpu: user + system, wall, kilobytes };
        });
    }

    // vouch-mpi, which is beside vouch.
    get together() {
        return path.join(path.dirname(this.vouch), 'vouch-mpi');
    }

    hasRanks() {
        return fs.existsSync(this.together) && spawnSync('mpirun', ['--version']).status === 0;
    }

    // Runs vouch-mpi on so many ranks, on this machine: {wall}. If asked, each writes what it did to `report`.RANK.
    ranks(count, args, report) {
        const root = process.getuid() === 0 ? ['--allow-run-as-root'] : [], meter = this.file('mpi_meter.so');
        const yielding = ['--oversubscribe', '--mca', 'mpi_yield_when_idle', count > os.cpus().length ? '1' : '0'];
        const metered = report ? ['-x', `LD_PRELOAD=${meter}`, '-x', `VOUCH_METER=${report}`] : [];
        if (report)
            this.once('meter', () => command('mpicc', ['-O2', '-shared', '-fPIC', '-o', meter,
                path.join(__dirname, 'mpi_meter.c')]));
        const start = process.hrtime.bigint();
        command('mpirun', [...root, ...yielding, '-n', String(count), ...metered, this.together, ...args]);
        return { wall: Number(process.hrtime.bigint() - start) / 1e9 };
    }

    // The cost of `run`: the median of three by `key`, or of one if it is long. Adds how many `runs` it was.
    median(run, key = 'cpu') {
        const costs = [run()];
        while (costs[0].cpu < LONG && costs.length < 3)
            costs.push(run());
        costs.sort((a, b) => a[key] - b[key]);
        return { ...costs[costs.length >> 1], runs: costs.length };
    }

    // A model of ours, trained with these options: {model, cpu, runs, f1}.
    train(corpus, options) {
        return this.once(`vouch ${corpus.key} ${options.join(' ')}`, () => {
            const model = this.file(`${corpus.key}${options.join('')}.vouch`);
            const args = ['train', '-q', '--no-calibrate', '-j', '1', '-t', corpus.task, ...options, '-o', model,
                corpus.train];
            const cost = this.median(() => this.runs(args)[0]);
            const { all } = json(this.vouch, ['eval', '--json', '-m', model, corpus.test]);
            return { ...cost, model, f1: all.f1 };
        });
    }

    // How many features training reads; a model keeps only those that learned something.
    featuresRead(corpus) {
        const args = ['train', '--no-calibrate', '-n', '1', '-a', 'perceptron', '-t', corpus.task,
            '-o', this.file('read.vouch'), corpus.train];
        const { stderr } = spawnSync(this.vouch, args, { encoding: 'utf8' });
        const found = /; (\d+) features/.exec(stderr);
        if (!found)
            throw new Error(`vouch ${args.join(' ')}: expected a number of features, found\n${stderr}`);
        return Number(found[1]);
    }

    // The corpus as ready-made attributes, from vouch's own template: {train, test, features}.
    attributes(corpus) {
        return this.once(`attributes ${corpus.key}`, () => {
            const { model } = this.train(corpus, ['-a', 'perceptron']);
            const template = this.file(`${corpus.key}.template`), made = {};
            fs.writeFileSync(template, command(this.vouch, ['info', '--show-template', model]));
            for (const part of ['test', 'train']) {
                const to = this.file(`${corpus.key}.${part}.attributes`);
                const args = [path.join(__dirname, 'expand.js'), template, corpus[part], to];
                if (corpus.task === 'np')
                    args.splice(1, 0, '--np');
                made.features = json(process.execPath, args).attributes;
                made[part] = to;
            }
            const ours = this.featuresRead(corpus);
            if (ours !== made.features)
                throw new Error(`${corpus.name}: expand.js finds ${made.features} features, vouch ${ours}: ` +
                    'the comparison would not be of the same thing');
            return made;
        });
    }

    // A model of CRFsuite's, trained with these settings: {model, cpu, append, passes, runs, f1}.
    trainPeer(corpus, algorithm, settings) {
        return this.once(`crfsuite ${corpus.key} ${algorithm} ${settings.join(' ')}`, () => {
            const { train } = this.attributes(corpus);
            const model = this.file(`${[corpus.key, algorithm, ...settings].join('.')}.crfsuite`);
            const cost = this.median(() => json(PEER, ['train', algorithm, model, train, ...settings]));
            return { ...cost, model, f1: this.scorePeer(corpus, model) };
        });
    }

    // CRFsuite's predictions as columns, scored by `vouch eval` like ours.
    scorePeer(corpus, model) {
        const { test } = this.attributes(corpus), labels = this.file('labels'), columns = this.file('columns');
        command(PEER, ['tag', model, test, '1', labels]);
        const guesses = fs.readFileSync(labels, 'utf8').split('\n');
        const golds = fs.readFileSync(test, 'utf8').split('\n').map((line) => line.split('\t', 1)[0]);
        if (guesses.length !== golds.length)
            throw new Error(`${corpus.name}: expected as many labels of CRFsuite's as lines`);
        fs.writeFileSync(columns, golds.map((gold, i) => (gold ? `word ${gold} ${guesses[i]}` : '')).join('\n'));
        return json(this.vouch, ['eval', '--json', '--format', 'conll', columns]).all.f1;
    }

    // The cost of labelling the corpus's test file `times` over; through the Node binding if asked to.
    tagPeer(corpus, model, times, binding) {
        const args = [model, this.attributes(corpus).test, String(times), this.file('labels')];
        return this.median(() => (binding ? json(process.execPath, [path.join(__dirname, 'binding.js'), ...args])
            : json(PEER, ['tag', ...args])));
    }
}

module.exports = { Laboratory, CORPORA, ROOT, command };
