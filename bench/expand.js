#!/usr/bin/env node
// Expands one of vouch's templates over a file of CoNLL columns into ready-made
// attributes, which is what CRFsuite learns from.
//
//     node expand.js [--np] TEMPLATE CORPUS OUTPUT
//
// Writes a line a word, the gold label (the last column) and the attributes, with
// tabs between, and an empty line after each sentence. Prints how many words and
// distinct attributes there are, as JSON. --np keeps the labels of NP chunks and
// makes the others O, as `vouch train --task np` does.
//
// An attribute is the number of the rule and what the rule sees, as "7:NNP VBZ".
// The rules are those of src/task/template.h, the views those of src/task/view.h;
// the test that both agree is the number of distinct attributes, which bench/speed
// compares with the number of features in vouch's model.
'use strict';

const fs = require('fs');

const MACRO = /%([a-z]+?)([1-9]?)\[\s*([-+]?\d+)\s*,\s*(\d+)\s*\]/g;
const CLASSES = [
    [/^[\p{Lu}\p{Lt}]$/u, 'X'],
    [/^\p{Ll}$/u, 'x'],
    [/^[\p{Lm}\p{Lo}\p{Mn}\p{Mc}]$/u, 'c'],
    [/^\p{N}$/u, 'd'],
];

// The first character of the lower case: one code point stays one.
const lowerCharacter = (c) => [...c.toLowerCase()][0];

function characterClass(c) {
    const found = CLASSES.find(([pattern]) => pattern.test(c));
    return found ? found[1] : c;
}

const shape = (cell) => [...cell].map(characterClass);

// Each view of a cell; null where there is nothing to see.
const VIEWS = {
    x: (cell) => cell,
    lower: (cell) => [...cell].map(lowerCharacter).join(''),
    prefix: (cell, n) => { const c = [...cell]; return c.length > n ? c.slice(0, n).join('') : null; },
    suffix: (cell, n) => { const c = [...cell]; return c.length > n ? c.slice(-n).join('') : null; },
    shape: (cell) => shape(cell).join(''),
    brief: (cell) => shape(cell).filter((c, i, all) => c !== all[i - 1]).join(''),
};

function remember(view, length) {
    const seen = new Map();
    return (cell) => {
        let value = seen.get(cell);
        if (value === undefined)
            seen.set(cell, value = view(cell, length));
        return value;
    };
}

// The U lines as rules {name, macros: [{see, row, column}]}. A plain B is what CRFsuite does by itself.
function parseTemplate(text) {
    const views = new Map(), names = new Map(), rules = [];
    text.split('\n').forEach((line, i) => {
        const place = `template line ${i + 1}`;
        line = line.trimEnd();
        if (line === '' || line.startsWith('#') || line === 'B')
            return;
        if (!line.startsWith('U'))
            throw new Error(`${place}: expected a U line or a plain B, found '${line}'`);
        const macros = [...line.matchAll(MACRO)].map(([, view, length, row, column]) => {
            if (!VIEWS[view] || /fix$/.test(view) !== (length !== ''))
                throw new Error(`${place}: expected a view that src/task/view.h knows, found '${view}${length}'`);
            if (!views.has(view + length))
                views.set(view + length, remember(VIEWS[view], Number(length)));
            return { see: views.get(view + length), row: Number(row), column: Number(column) };
        });
        if (line.replace(MACRO, '').includes('%'))
            throw new Error(`${place}: expected macros such as %x[0,0], found '${line}'`);
        // Rules that are the same but for the rows share their attributes.
        const skeleton = line.replace(MACRO, '%$1$2');
        if (!names.has(skeleton))
            names.set(skeleton, `${names.size}:`);
        rules.push({ name: names.get(skeleton), macros });
    });
    return rules;
}

// The sentences of CoNLL columns, each an array of words, each an array of cells.
function* readSentences(text) {
    let sentence = [];
    for (const line of text.split('\n')) {
        const cells = line.trim();
        if (cells !== '')
            sentence.push(cells.split(/[ \t]+/));
        else if (sentence.length)
            yield sentence.splice(0);
    }
    if (sentence.length)
        yield sentence;
}

function observe({ see, row, column }, sentence, t) {
    const at = t + row;
    if (at < 0)
        return `_B-${-at}`;
    if (at >= sentence.length)
        return `_B+${at - sentence.length + 1}`;
    return see(sentence[at][column]);
}

function attributesOf(rules, sentence, t) {
    const attributes = [];
    for (const { name, macros } of rules) {
        const values = macros.map((macro) => observe(macro, sentence, t));
        if (!values.includes(null))
            attributes.push(name + values.join(' '));
    }
    return attributes;
}

function main(args) {
    const np = args[0] === '--np';
    const [template, corpus, output] = np ? args.slice(1) : args;
    if (!output)
        throw new Error('usage: node expand.js [--np] TEMPLATE CORPUS OUTPUT');
    const rules = parseTemplate(fs.readFileSync(template, 'utf8'));
    const file = fs.openSync(output, 'w'), distinct = new Set();
    let words = 0;
    for (const sentence of readSentences(fs.readFileSync(corpus, 'utf8'))) {
        let lines = '';
        sentence.forEach((cells, t) => {
            const gold = cells[cells.length - 1], attributes = attributesOf(rules, sentence, t);
            attributes.forEach((attribute) => distinct.add(attribute));
            lines += [np && !gold.endsWith('-NP') ? 'O' : gold, ...attributes].join('\t') + '\n';
        });
        words += sentence.length;
        fs.writeSync(file, lines + '\n');
    }
    fs.closeSync(file);
    console.log(JSON.stringify({ words, attributes: distinct.size }));
}

module.exports = { parseTemplate, readSentences, attributesOf };

if (require.main === module) {
    try {
        main(process.argv.slice(2));
    } catch (error) {
        console.error(`expand: ${error.message}`);
        process.exit(1);
    }
}
