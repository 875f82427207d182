// A weak tagger and a weak parser, whose errors are like those of a model that made a corpus by itself: regular, and
// hard to tell from what is right. They share no code with vouch.
'use strict';

const shape = (form) => form.replace(/\p{Lu}/gu, 'A').replace(/\p{Ll}/gu, 'a').replace(/\d/g, '0')
    .replace(/(.)\1+/g, '$1');

function featuresOf(words, i, before) {
    const form = (k) => (words[k] ? words[k].cells[0] : '');
    return [`w ${form(i)}`, `p ${form(i - 1)}`, `n ${form(i + 1)}`, `s ${form(i).slice(-3)}`, `h ${shape(form(i))}`,
        `b ${before}`, `bw ${before} ${form(i)}`];
}

// The label with the highest sum of weights; of equal ones, the first.
function bestOf(weights, features, labels) {
    let best = null, most = -Infinity;
    for (const label of labels) {
        let sum = 0;
        for (const f of features)
            sum += weights.get(`${f}|${label}`) || 0;
        if (sum > most)
            [best, most] = [label, sum];
    }
    return best;
}

// Labels of sentences by a perceptron that goes from left to right, after three passes over the lessons.
function weakLabels(lessons, sentences) {
    const gold = (w) => w.cells[w.cells.length - 1], weights = new Map();
    const labels = [...new Set(lessons.flat().map(gold))].sort();
    const add = (features, label, by) => features.forEach((f) =>
        weights.set(`${f}|${label}`, (weights.get(`${f}|${label}`) || 0) + by));
    for (let pass = 0; pass < 3; pass++)
        for (const words of lessons)
            words.forEach((word, i) => {
                const features = featuresOf(words, i, i ? gold(words[i - 1]) : '');
                const guess = bestOf(weights, features, labels);
                if (guess !== gold(word)) {
                    add(features, gold(word), 1);
                    add(features, guess, -1);
                }
            });
    return sentences.map((words) => {
        const answer = [];
        words.forEach((_, i) => answer.push(bestOf(weights, featuresOf(words, i, answer[i - 1] || ''), labels)));
        return answer;
    });
}

const TAG = 3, HEAD = 6;
const near = (d) => Math.sign(d) * Math.min(Math.abs(d), 4);

// Heads by how often a tag had a head of that tag at that distance in the lessons; words up to ten away are tried.
function weakHeads(lessons, sentences) {
    const seen = new Map();
    for (const words of lessons)
        words.forEach((word, i) => {
            const head = Number(word.cells[HEAD]);
            const key = head && `${word.cells[TAG]} ${words[head - 1].cells[TAG]} ${near(head - 1 - i)}`;
            if (head)
                seen.set(key, (seen.get(key) || 0) + 1);
        });
    return sentences.map((words) => words.map((word, i) => {
        let best = 0, most = 0;
        for (let h = Math.max(0, i - 10); h < Math.min(words.length, i + 11); h++) {
            const times = h === i ? 0 : seen.get(`${word.cells[TAG]} ${words[h].cells[TAG]} ${near(h - i)}`) || 0;
            if (times > most)
                [best, most] = [h + 1, times];
        }
        return best;
    }));
}

module.exports = { weakLabels, weakHeads };
