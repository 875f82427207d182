// Tables: the same rows as aligned text and as Markdown.
'use strict';

// A column is numeric if all that is in it looks like a number: it is aligned to the right.
function alignRight(rows, column) {
    return rows.every((row) => /^[-\d.,]*( [kM]?B| %)?$/.test(row[column]));
}

// A note in lines of at most 100 characters, indented.
function wrap(note) {
    const lines = [''];
    for (const word of note.split(' ')) {
        if (lines[lines.length - 1].length + word.length > 96)
            lines.push('  ');
        lines[lines.length - 1] += ` ${word}`;
    }
    return lines.map((line) => ` ${line}`);
}

// {title, head: [...], rows: [[...]], notes: [...]} as lines of text.
function asText({ title, head, rows, notes }) {
    const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
    const right = head.map((_, i) => alignRight(rows, i));
    const line = (cells) => cells
        .map((cell, i) => (right[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ').trimEnd();
    return [title, '', line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), '',
        ...notes.flatMap(wrap)].join('\n').trimEnd() + '\n';
}

function asMarkdown({ title, head, rows, notes }) {
    const line = (cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
    const rule = head.map((_, i) => (alignRight(rows, i) ? '--:' : '---'));
    return [`## ${title}`, '', line(head), line(rule), ...rows.map(line), '',
        ...notes.map((note) => `- ${note}`)].join('\n').trimEnd() + '\n';
}

module.exports = { asText, asMarkdown };
