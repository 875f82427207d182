/**
 * The table that `vouch review` writes, and `--apply` and `--decided` read: lines of fields between tabs. What is not
 * decided here leaves the table byte for byte as it came.
 */

/** @typedef {{ columns: string[], rows: string[][], at: Record<string, number> }} Table */

/** @param {string} field  a field that begins with a quote is in quotes, and its own are doubled */
const unquoted = (field) =>
  field.length > 1 && field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;

/** @param {string} text */
const quoted = (text) => (text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text);

/** @param {string} text @returns {Table} */
export function readTable(text) {
  const [head, ...rows] = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split("\t"));
  const columns = head ?? [];
  return { columns, rows, at: Object.fromEntries(columns.map((name, i) => [name, i])) };
}

/** @param {Table} table @param {string[]} row @param {string} column  the text of a field, or nothing */
export const field = (table, row, column) => unquoted(row[table.at[column] ?? -1] ?? "");

/** @param {Table} table @param {(row: number) => string} decided  what is decided about each row */
export function writeTable(table, decided) {
  const place = table.at.decision ?? -1;
  const rows = table.rows.map((row, i) => row.with(place, quoted(decided(i))));
  return [table.columns, ...rows].map((row) => row.join("\t") + "\n").join("");
}
