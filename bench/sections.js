// The sections of bench/speed. Each takes the laboratory and the options and
// returns its tables.
'use strict';

const fs = require('fs');

const { cluster } = require('./cluster.js');

const PERCEPTRON = ['-a', 'perceptron'];
const PEER_PERCEPTRON = ['averaged-perceptron', ['max_iterations=10', 'epsilon=0']];
const TIMES = 20;
const TREEBANKS = ['da_ddt_cdt', 'sv_talbanken'];
const NO_PEER = 'CRFsuite is not there and was left out: run bench/setup.';
const MEDIAN = 'CPU: user and system seconds; the median of three runs, or one run where it is long.';
const RATIO = 'ratio: the CPU seconds of that line over those of vouch on the same corpus.';

const number = (value, digits) => value.toFixed(digits);
const seconds = (cost) => number(cost.cpu, 2);
const ratio = (cost, ours) => number(cost.cpu / ours.cpu, 2);
const megabytes = (bytes) => number(bytes / 1e6, 1);
const thousands = (words, cost) => number(words / cost.cpu / 1000, 0);

function sameFeatures(lab, corpora) {
    const counts = corpora.map((corpus) => `${corpus.name} ${lab.attributes(corpus).features}`);
    return `The features are the same on both sides, by count: ${counts.join(', ')}.`;
}

// One line of ours and one for each of CRFsuite's [algorithm, settings].
function compareTraining(lab, corpus, options, passes, peers) {
    const ours = lab.train(corpus, options);
    const rows = [[corpus.name, `vouch ${options[1]}`, passes, seconds(ours), '', number(1, 2), number(ours.f1, 2),
        String(ours.runs)]];
    for (const [algorithm, settings] of lab.hasPeer() ? peers : []) {
        const peer = lab.trainPeer(corpus, algorithm, settings);
        rows.push([corpus.name, `CRFsuite ${algorithm}`, String(peer.passes), seconds(peer), number(peer.append, 2),
            ratio(peer, ours), number(peer.f1, 2), String(peer.runs)]);
    }
    return rows;
}

const TRAINING_HEAD = ['corpus', 'learner', 'passes', 'CPU s', 'appending s', 'ratio', 'F1', 'runs'];
const TRAINING_NOTES = [
    MEDIAN, RATIO,
    'vouch: the whole command, from the raw file to the model file.',
    'CRFsuite: from ready-made attributes in memory to the model file. Making the attributes and reading them is not ' +
        'counted; "appending" is the part spent on handing them over.',
];

function train(lab) {
    const corpora = ['np', 'es'].map((key) => lab.corpus(key));
    const rows = corpora.flatMap((corpus) => compareTraining(lab, corpus, PERCEPTRON, '10', [PEER_PERCEPTRON]));
    const notes = lab.hasPeer() ? [...TRAINING_NOTES, sameFeatures(lab, corpora)] : [NO_PEER, ...TRAINING_NOTES];
    return [{ title: 'Training a perceptron, ten passes', head: TRAINING_HEAD, rows, notes }];
}

function crf(lab, { iterations }) {
    const limits = { np: 0, es: 100 }, corpora = ['np', 'es'].map((key) => lab.corpus(key));
    const limitOf = (corpus) => (iterations === undefined ? limits[corpus.key] : iterations);
    const rows = corpora.flatMap((corpus) => {
        const limit = limitOf(corpus) ? [`max_iterations=${limitOf(corpus)}`] : [];
        const peers = [['lbfgs', limit], ['l2sgd', []], ['l2sgd', ['max_iterations=10']]];
        return compareTraining(lab, corpus, ['-a', 'crf'], '10', peers);
    });
    const limited = corpora.map((corpus) => `${corpus.name} ${limitOf(corpus) || 'none'}`).join(', ');
    const notes = lab.hasPeer() ? [
        ...TRAINING_NOTES,
        `Iterations lbfgs was limited to: ${limited}. l2sgd runs until CRFsuite stops it, then again for ten passes ` +
            'only, as many as vouch makes.',
        sameFeatures(lab, corpora),
    ] : [NO_PEER, ...TRAINING_NOTES];
    return [{ title: 'Training by conditional likelihood', head: TRAINING_HEAD, rows, notes }];
}

function tag(lab) {
    const rows = [], binding = lab.hasPeer() && lab.hasBinding();
    for (const corpus of ['np', 'es'].map((key) => lab.corpus(key))) {
        const { model } = lab.train(corpus, PERCEPTRON), input = lab.repeated(corpus, TIMES);
        const words = lab.words(corpus.test) * TIMES;
        const output = lab.file('tagged');
        const ours = lab.median(() => lab.runs(['tag', '-j', '1', '-m', model, input], { output })[0]);
        const add = (name, cost) => rows.push([corpus.name, name, String(words), seconds(cost), ratio(cost, ours),
            thousands(words, cost)]);
        add('vouch tag', ours);
        if (!lab.hasPeer())
            continue;
        const peer = lab.trainPeer(corpus, ...PEER_PERCEPTRON).model;
        add('CRFsuite, C library', lab.tagPeer(corpus, peer, TIMES, false));
        if (binding)
            add('CRFsuite, Node binding', lab.tagPeer(corpus, peer, TIMES, true));
    }
    const notes = [
        MEDIAN, RATIO,
        'vouch: the whole command, from the raw file to the labelled file.',
        'CRFsuite: from ready-made attributes in memory to labels in memory, opening the model included.',
        'Both models are perceptrons of ten passes over the same features.',
        ...(lab.hasPeer() ? [] : [NO_PEER]),
        ...(lab.hasPeer() && !binding ? ['The Node binding is not there and was left out: run bench/setup.'] : []),
    ];
    const head = ['corpus', 'program', 'words', 'CPU s', 'ratio', 'thousand words/s'];
    return [{ title: `Labelling the test file ${TIMES} times over`, head, rows, notes }];
}

function learners(lab) {
    const rows = [];
    const all = [PERCEPTRON, ['-a', 'pa'], ['-a', 'cw'], ['-a', 'cw', '-k', '1'], ['-a', 'crf']];
    for (const corpus of ['np', 'en', 'es'].map((key) => lab.corpus(key)))
        for (const options of all) {
            const cost = lab.train(corpus, options);
            rows.push([corpus.name, options.slice(1).join(' '), seconds(cost),
                thousands(10 * lab.words(corpus.train), cost), number(cost.f1, 2), String(cost.runs)]);
        }
    const notes = [
        MEDIAN,
        'The whole command, ten passes; words are counted once a pass. F1 on the test file (of NER: testb).',
    ];
    const head = ['corpus', 'learner', 'CPU s', 'thousand words/s', 'F1', 'runs'];
    return [{ title: 'The learners of vouch', head, rows, notes }];
}

function peakMemory(lab, corpus) {
    const { model } = lab.train(corpus, PERCEPTRON);
    const sizes = [1, 100].map((times) => {
        const input = lab.repeated(corpus, times);
        const cost = lab.median(() => lab.runs(['tag', '-j', '1', '-m', model, input])[0], 'kilobytes');
        return { times, bytes: fs.statSync(input).size, peak: cost.kilobytes * 1024 };
    });
    const rows = sizes.map(({ times, bytes, peak }) => [`test file x ${times}`, megabytes(bytes), megabytes(peak),
        number(peak / sizes[0].peak, 2)]);
    return {
        title: 'Memory of vouch tag', head: ['input', 'input MB', 'peak MB', 'ratio'], rows,
        notes: [`${corpus.name}; the model file is ${megabytes(fs.statSync(model).size)} MB.`,
            'Peak: resident memory as the kernel counted it, pages of the mapped model among it; median of three runs.',
            'ratio: the peak over that of the smaller input.'],
    };
}

// A model learned from the first sentences of the corpus.
function smallModel(lab, corpus, sentences) {
    const start = lab.file('small.train'), model = lab.file('small.vouch');
    const text = fs.readFileSync(corpus.train, 'utf8').split('\n\n').slice(0, sentences).join('\n\n');
    fs.writeFileSync(start, `${text}\n\n`);
    lab.runs(['train', '-q', '--no-calibrate', '-t', corpus.task, ...PERCEPTRON, '-o', model, start]);
    return model;
}

function opening(lab, corpus) {
    const runs = 50, mean = (args) => {
        const costs = lab.runs(args, { times: runs });
        return 1000 * costs.reduce((sum, cost) => sum + cost.wall, 0) / runs;
    };
    const models = [
        ['perceptron, 100 sentences', smallModel(lab, corpus, 100)],
        ['perceptron, all sentences', lab.train(corpus, PERCEPTRON).model],
        ['cw+crf, all sentences', lab.train(corpus, ['-a', 'cw+crf']).model],
    ];
    lab.runs(['version'], { times: 5 });
    const start = mean(['version']);
    const rows = [['none (vouch version)', '', number(start, 2), '']];
    for (const [name, model] of models) {
        lab.runs(['info', model], { times: 5 });
        const time = mean(['info', model]);
        rows.push([name, megabytes(fs.statSync(model).size), number(time, 2), number(time - start, 2)]);
    }
    return {
        title: 'Opening a model', head: ['model', 'model MB', 'wall ms', 'beyond starting ms'], rows,
        notes: [`vouch info, the mean of ${runs} runs after five to warm up; starting and ending the process included.`,
            `The models are of ${corpus.name}.`],
    };
}

function memory(lab) {
    const corpus = lab.corpus('np');
    return [peakMemory(lab, corpus), opening(lab, corpus)];
}

// A command on one thread and on two, in turns: the medians of the wall and CPU times, and whether both write the same.
function threadPair(lab, args) {
    const pair = [1, 2].map((count) => ({ count, output: lab.file(`answers.j${count}`), costs: [] }));
    for (let turn = 0; turn < 5; turn++)
        for (const { count, output, costs } of pair)
            costs.push(lab.runs([...args, '-q', '-j', String(count)], { output })[0]);
    const median = ({ costs }, key) => costs.map((cost) => cost[key]).sort((a, b) => a - b)[costs.length >> 1];
    const same = fs.readFileSync(pair[0].output).equals(fs.readFileSync(pair[1].output));
    return { wall: pair.map((side) => median(side, 'wall')), cpu: pair.map((side) => median(side, 'cpu')), same };
}

function threads(lab) {
    const corpora = ['np', 'es', 'en'].map((key) => lab.corpus(key)), trees = lab.treebank('sv_talbanken'), rows = [];
    const measure = (name, what, args) => {
        const { wall, cpu, same } = threadPair(lab, args);
        rows.push([name, what, ...wall.map((time) => number(time, 2)), number(wall[0] / wall[1], 2),
            number(cpu[1] / cpu[0], 2), same ? 'same' : 'DIFFERENT']);
    };
    for (const corpus of corpora) {
        const model = lab.calibrated(corpus);
        measure(corpus.name, 'tag, no confidence', ['tag', '-m', model, '-c', 'none', lab.repeated(corpus, 2 * TIMES)]);
        measure(corpus.name, 'tag', ['tag', '-m', model, lab.repeated(corpus, TIMES / 2)]);
    }
    if (trees) {
        const model = lab.calibrated(trees);
        measure(trees.name, 'parse, no confidence', ['parse', '-m', model, '-c', 'none', lab.repeated(trees, 4)]);
        measure(trees.name, 'parse', ['parse', '-m', model, trees.test]);
    }
    return [{
        title: 'One thread and two', rows,
        head: ['corpus', 'command', 'wall s -j 1', 'wall s -j 2', 'speed-up', 'CPU', 'output'],
        notes: [`Whole commands. Test files of labels ${2 * TIMES} times over, with confidence ${TIMES / 2} times;`,
            'trees 4 times over, with confidence once. Medians of five runs on each number of threads, in turns.',
            'speed-up: wall time of one thread over that of two. CPU: CPU time of two threads over that of one.',
            ...(trees ? [] : ['The treebank is not there and was left out.'])],
    }];
}

// What confidence costs: a command without it, with the default, and with the votes of 50 drawn models.
function confidence(lab) {
    const rows = [];
    const measure = (corpus, what, times) => {
        const model = lab.calibrated(corpus), input = lab.repeated(corpus, times);
        const args = [what, '-q', '-j', '1', '-m', model, input];
        const plain = lab.median(() => lab.runs([...args, '-c', 'none'])[0]);
        for (const [name, options] of [['none', ['-c', 'none']], ['the default', []], ['kd-fix', ['-c', 'kd-fix']]]) {
            const cost = name === 'none' ? plain : lab.median(() => lab.runs([...args, ...options])[0]);
            rows.push([corpus.name, what, name, seconds(cost), ratio(cost, plain)]);
        }
    };
    for (const key of ['np', 'en', 'es'])
        measure(lab.corpus(key), 'tag', TIMES);
    for (const name of TREEBANKS.filter((treebank) => lab.treebank(treebank)))
        measure(lab.treebank(name), 'parse', 4);
    return [{
        title: 'What confidence costs', head: ['corpus', 'command', 'confidence', 'CPU s', 'ratio'], rows,
        notes: [MEDIAN, `Test files of labels ${TIMES} times over, of trees 4 times.`,
            'ratio: the CPU seconds of that line over those without confidence.'],
    }];
}

// What calibration adds to learning, on one thread and on two, by wall time.
function calibration(lab) {
    const rows = [], corpora = ['np', 'en', 'es'].map((key) => lab.corpus(key));
    for (const corpus of [...corpora, ...TREEBANKS.map((name) => lab.treebank(name)).filter(Boolean)]) {
        const model = lab.file('calibration.vouch');
        const wall = ([threads, ...options]) => lab.median(() => lab.runs(['train', '-q', '-j', threads, '-t',
            corpus.task, ...options, '-o', model, corpus.train])[0], 'wall').wall;
        const [plain, one, two] = [['1', '--no-calibrate'], ['1'], ['2']].map(wall);
        rows.push([corpus.name, ...[plain, one, two, one / plain, two / plain, two / one].map((x) => number(x, 2))]);
    }
    return [{
        title: 'Learning, and calibrating what was learned', rows,
        head: ['corpus', '--no-calibrate s', 'train s', 'train -j 2 s', 'train', 'train -j 2', '-j 2 over -j 1'],
        notes: ['Wall seconds of whole commands: the median of three runs, or one run where it is long.',
            'The last three columns are ratios: over --no-calibrate, over --no-calibrate, over one thread.'],
    }];
}

// Sentences a second of a parser, of about 25 words each.
function parse(lab) {
    const trees = lab.treebank('en_ewt'), rows = [];
    if (!trees)
        return [{ title: 'Parsing', head: ['left out'], rows, notes: ['The treebank en_ewt is not there.'] }];
    const text = fs.readFileSync(trees.test, 'utf8').split('\n\n');
    const middle = text.filter((sentence) => Math.abs(sentence.trim().split('\n').length - 25) <= 2);
    const input = lab.file('middle.conll'), times = 20;
    fs.writeFileSync(input, `${middle.join('\n\n')}\n\n`.repeat(times));
    for (const [name, options] of [['heads', ['--unlabelled']], ['heads and relations', []]]) {
        const model = lab.file('parser.vouch');
        lab.runs(['train', '-q', '-t', 'dep', '--no-calibrate', '-n', '2', ...options, '-o', model, trees.train]);
        const cost = lab.median(() => lab.runs(['parse', '-q', '-j', '1', '-m', model, input])[0]);
        rows.push([name, seconds(cost), number(middle.length * times / cost.cpu, 0)]);
    }
    return [{
        title: 'Parsing', head: ['model', 'CPU s', 'sentences/s'], rows,
        notes: [MEDIAN, `The ${middle.length} sentences of 23 to 27 words of the English test file, ${times} times ` +
            'over, file to file, one thread, without confidence.'],
    }];
}

// What models take on disk.
function size(lab) {
    const sample = { key: 'sample', name: 'sample of 600 trees', task: 'dep', train: lab.file('sample.conllu') };
    lab.runs(['sample', '--kind', 'dep', '-n', '600', '-o', sample.train]);
    const corpora = [...['np', 'en', 'es'].map((key) => lab.corpus(key)), lab.treebank('da_ddt_cdt'), sample];
    const rows = corpora.filter(Boolean).flatMap((corpus) => [['-a', 'crf'], ['-a', 'cw']].map((options) => {
        const model = lab.file('size.vouch');
        lab.runs(['train', '-q', '--no-calibrate', '-t', corpus.task, ...options, '-o', model, corpus.train]);
        return [corpus.name, options[1], megabytes(fs.statSync(model).size)];
    }));
    return [{ title: 'Model files', head: ['corpus', 'learner', 'MB'], rows, notes: ['Without calibration.'] }];
}

// How the time of learning grows with the corpus.
function growth(lab) {
    const corpus = lab.corpus('es'), parts = [16, 4, 1], rows = [];
    const text = fs.readFileSync(corpus.train, 'utf8').split('\n\n');
    for (const learner of ['perceptron', 'cw', 'crf']) {
        const costs = parts.map((part) => {
            const start = lab.file(`es.${part}`);
            fs.writeFileSync(start, `${text.slice(0, Math.floor(text.length / part)).join('\n\n')}\n\n`);
            const args = ['train', '-q', '--no-calibrate', '-t', 'ner', '-a', learner, '-o', lab.file('growth.vouch'),
                start];
            return { words: lab.words(start), ...lab.median(() => lab.runs(args)[0]) };
        });
        costs.forEach((cost, i) => rows.push([learner, `1/${parts[i]}`, String(cost.words), seconds(cost),
            number(cost.words / costs[0].words, 2), ratio(cost, costs[0])]));
    }
    return [{
        title: 'Growth with the corpus', rows,
        head: ['learner', 'part', 'words', 'CPU s', 'words, ratio', 'CPU, ratio'],
        notes: [MEDIAN, 'Spanish NER, the first sentences of the training file, ten passes.',
            'Ratios are to the first part.'],
    }];
}

module.exports = { train, crf, tag, learners, memory, threads, confidence, calibration, parse, size, growth,
    cluster };
