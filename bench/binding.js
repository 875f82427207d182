#!/usr/bin/env node
// Tags ready-made attributes through the Node binding of CRFsuite and prints what
// it cost, as JSON.
//
//     node binding.js MODEL FILE TIMES LABELS
//
// The same as `crfsuite tag` of crfsuite_peer.c, for those who would call CRFsuite from
// JavaScript: what comes on top is handing the strings over. FILE is read and split
// before the clock starts.
'use strict';

const fs = require('fs');
const { Tagger } = require('crfsuite');

const [model, file, times, output] = process.argv.slice(2);
const sentences = fs.readFileSync(file, 'utf8').split('\n\n').filter((s) => s !== '')
    .map((s) => s.split('\n').map((line) => line.split('\t').slice(1)));

let labels;
const start = process.cpuUsage();
const tagger = new Tagger();
if (!tagger.open(model))
    throw new Error(`${model}: cannot open the model`);
for (let n = 0; n < Number(times); n++)
    labels = sentences.map((sentence) => tagger.tag(sentence));
const used = process.cpuUsage(start);

fs.writeFileSync(output, labels.map((sentence) => sentence.join('\n') + '\n\n').join(''));
const words = Number(times) * sentences.reduce((sum, sentence) => sum + sentence.length, 0);
console.log(JSON.stringify({ cpu: (used.user + used.system) / 1e6, words }));
