/*
 * Documents and their sentences: see store.h.
 *
 * A document is kept as the bytes of its pieces, in order: sentences, document marks, and what is behind the last
 * sentence. While it is added each piece is compared with the file's own bytes at that place, so that a document that
 * could not be written again exactly as it was is refused, not damaged. A byte order mark belongs to the first piece.
 *
 * A single sentence is read by the reader of its document. In CoNLL columns the first line of a file decides how all
 * are divided, so that line is kept (`sample`), and read in front of the sentence.
 */
#include "store/sql.h"
#include "text/formats.h"

#include <inttypes.h>
#include <stdio.h>

/* A document that is being added. */
struct adding {
    struct store *store;
    const char *name;
    struct buffer file;  /* its bytes, uncompressed */
    size_t at;           /* so many of them are in pieces */
    int64_t id, piece, place, words;
    struct buffer bytes; /* of the piece at hand */
    struct sql insert;
};

/* ---- Reading the file ---- */

static bool load(struct input *input, struct buffer *file, struct vouch_error *err)
{
    bool ok = input && (!input_marked(input) || buffer_add(file, text_of(BYTE_ORDER_MARK), err)) &&
              input_read_all(input, file, SIZE_MAX, err);
    input_close(input);
    return ok;
}

static bool add_words(struct buffer *into, const struct sentence *s, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->N; i++)
        ok = (!s->leads || buffer_add(into, s->lead[i], err)) && buffer_add(into, s->line[i], err) &&
             buffer_add(into, s->end[i], err);
    return ok && (!s->leads || s->N == 0 || buffer_add(into, s->lead[s->N], err));
}

/* Puts together the bytes that a sentence was read from; in JSON lines, the whole line is in front of the words. */
static bool spell_piece(struct adding *a, const struct reader *reader, const struct sentence *s,
                        struct vouch_error *err)
{
    struct buffer *into = &a->bytes;
    into->length = 0;
    bool marked = a->piece == 0 && text_starts(buffer_text(&a->file), BYTE_ORDER_MARK);
    return (!marked || buffer_add(into, text_of(BYTE_ORDER_MARK), err)) && buffer_add(into, s->skipped, err) &&
           buffer_add(into, s->before, err) && (reader->format == FORMAT_JSONL || add_words(into, s, err)) &&
           buffer_add(into, s->after, err);
}

/* Fails unless the piece is what the file has next. */
static bool check_piece(struct adding *a, const struct sentence *s, struct vouch_error *err)
{
    size_t left = a->file.length - a->at;
    if (a->bytes.length > left || (a->bytes.length && memcmp(a->file.bytes + a->at, a->bytes.bytes, a->bytes.length)))
        return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": this sentence cannot be kept byte for byte", a->name,
                    s->number);
    a->at += a->bytes.length;
    return true;
}

/* ---- Adding ---- */

/* Returns what the file itself answers; none if it has no labels. */
static struct store_answer given_in(const struct sentence *s)
{
    if (!s->labelled || s->boundary || s->N == 0)
        return (struct store_answer){0};
    return (struct store_answer){.words = s->N, .label = s->gold, .head = s->tree ? s->head : NULL};
}

static bool add_piece(struct adding *a, const struct reader *reader, const struct sentence *s, struct vouch_error *err)
{
    char *given;
    struct store_answer answer = given_in(s);
    bool counts = !s->boundary && !s->rest;
    if (s->faulty)
        return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s", a->name, s->number, s->fault);
    if (!spell_piece(a, reader, s, err) || !check_piece(a, s, err) || !answer_write(&answer, &given, err))
        return false;
    struct text bytes = buffer_text(&a->bytes);
    bool ok = sql_again(&a->insert, err, "iiiiiibt", a->id, a->piece, counts ? a->place : (int64_t)-1,
                        (int64_t)s->number, (int64_t)s->N, (int64_t)sentence_words_digest(s), bytes, given) &&
              sql_row(&a->insert, err) == READ_END;
    free(given);
    a->piece++;
    a->place += counts;
    a->words += counts ? s->N : 0;
    return ok;
}

/* Adds all that the reader reads. Finds the line that decides how columns are divided, for `sample`. */
static bool add_pieces(struct adding *a, struct reader *reader, struct buffer *sample, struct vouch_error *err)
{
    struct sentence s = {0};
    enum reading state = READ_FAILED;
    bool ok = sql_open(&a->insert, a->store, err,
                       "INSERT INTO sentences (document, piece, place, line, words, words_digest, bytes, given) "
                       "VALUES (?, ?, nullif(?, -1), ?, ?, ?, ?, ?)",
                       "");
    while (ok && (state = reader_next(reader, &s, err)) == READ_SENTENCE) {
        for (uint32_t i = 0; ok && !sample->length && reader->format == FORMAT_CONLL && i < s.N; i++)
            ok = s.line[i].at[0] == '#' || buffer_add(sample, s.line[i], err);
        ok = ok && add_piece(a, reader, &s, err);
    }
    if (ok && state == READ_END && a->at != a->file.length)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was read", a->name);
    sql_close(&a->insert);
    sentence_release(&s);
    return ok && state == READ_END;
}

/* Adds the row of the document, which its sentences refer to, and completes it once they are there. */
static bool add_document(struct adding *a, struct reader *reader, const struct reader_options *reading,
                         struct vouch_error *err)
{
    char digest[33];
    struct buffer sample = {0};
    store_digest(a->file.bytes, a->file.length, digest);
    bool ok = sql_run(a->store, err,
                      "INSERT INTO documents (name, digest, position, made, format, gold, trees, form, label_column, "
                      "named, sentences, words) VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM documents), "
                      "?, ?, ?, ?, ?, ?, ?, 0, 0)",
                      "ttitiiiii", a->name, digest, time_now(), format_name(reader->format), (int64_t)reading->gold,
                      (int64_t)reading->trees, (int64_t)reading->form, (int64_t)reading->column,
                      (int64_t)reading->named);
    a->id = sqlite3_last_insert_rowid(a->store->db);
    ok = ok && add_pieces(a, reader, &sample, err) &&
         sql_run(a->store, err, "UPDATE documents SET sample = ?, sentences = ?, words = ? WHERE id = ?", "biii",
                 buffer_text(&sample), a->place, a->words, a->id);
    free(sample.bytes);
    return ok;
}

/* Finds a document of that name; fails if it has other bytes, or was read in another way. */
static bool find_same(struct adding *a, const struct reader *reader, const struct reader_options *reading,
                      struct vouch_error *err)
{
    char digest[33];
    int64_t same;
    if (!is_name(a->name))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "expected a document's name in UTF-8 without control characters: the file needs another name");
    store_digest(a->file.bytes, a->file.length, digest);
    if (!sql_find(a->store, &a->id, err, "SELECT id FROM documents WHERE name = ?", "t", a->name))
        return false;
    if (a->id == 0)
        return true;
    if (!sql_find(a->store, &same, err, "SELECT id FROM documents WHERE id = ? AND digest = ?", "it", a->id, digest))
        return false;
    if (!same)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected the document '%s' as it is in the store, found other content: has it changed since "
                    "it was added?",
                    a->store->path, a->name);
    return (sql_find(a->store, &same, err,
                     "SELECT id FROM documents WHERE id = ? AND format = ? AND gold = ? AND trees = ? AND form = ? AND "
                     "label_column = ?",
                     "itiiii", a->id, format_name(reader->format), (int64_t)reading->gold, (int64_t)reading->trees,
                     (int64_t)reading->form, (int64_t)reading->column)) &&
           (same || fail(err, VOUCH_ERR_ARGUMENT,
                         "%s: the document '%s' was read by other columns or as another format when it was added",
                         a->store->path, a->name));
}

/* Adds what the reader reads, of which a->file has the bytes. */
static bool add(struct adding *a, struct reader *reader, const struct reader_options *reading, struct vouch_error *err)
{
    a->id = 0;
    if (!find_same(a, reader, reading, err))
        return false;
    if (a->id)
        return true;
    return sql_end(a->store, sql_begin(a->store, err) && add_document(a, reader, reading, err), err);
}

/* What is kept of how a file is read: vectors and corrections are not the file's own. */
static struct reader_options plain_reading(const struct reader_options *reading)
{
    return (struct reader_options){.format = reading->format,
                                   .gold = reading->gold,
                                   .trees = reading->trees,
                                   .form = reading->form,
                                   .column = reading->column,
                                   .named = reading->named};
}

/* Adds what `input` has; it is read a second time, by the format's reader: from `path`, or if that is NULL, memory. */
static bool add_input(struct store *store, struct input *input, const char *path, const char *name,
                      const struct reader_options *reading, int64_t *id, struct vouch_error *err)
{
    struct adding a = {.store = store, .name = name};
    struct reader_options options = plain_reading(reading);
    struct reader *reader = NULL;
    options.name = name;
    bool ok = load(input, &a.file, err) &&
              (reader = path ? reader_open(path, &options, err)
                             : reader_open_memory(buffer_text(&a.file).at, a.file.length, &options, err)) &&
              add(&a, reader, &options, err);
    reader_close(reader);
    free(a.file.bytes);
    free(a.bytes.bytes);
    *id = a.id;
    return ok;
}

bool store_add_file(struct store *store, const char *path, const char *name, const struct reader_options *reading,
                    int64_t *id, struct vouch_error *err)
{
    return add_input(store, input_open(path, err), path, name ? name : path, reading, id, err);
}

bool store_add_bytes(struct store *store, const void *bytes, size_t length, const char *name,
                     const struct reader_options *reading, int64_t *id, struct vouch_error *err)
{
    return add_input(store, input_open_memory(name, bytes, length, err), NULL, name, reading, id, err);
}

/* ---- Reading from the store ---- */

static enum format format_by_name(const char *name)
{
    for (enum format f = FORMAT_CONLL; f <= FORMAT_CONLLU; f++)
        if (strcmp(format_name(f), name) == 0)
            return f;
    return FORMAT_AUTO;
}

#define READING "format, gold, trees, form, label_column, named"

/* Returns how a document is read, from the columns READING. */
static struct reader_options reading_of(const struct sql *sql, int from)
{
    return (struct reader_options){.format = format_by_name(sql_string(sql, from)),
                                   .gold = (int)sql_whole(sql, from + 1),
                                   .trees = sql_whole(sql, from + 2),
                                   .form = (uint32_t)sql_whole(sql, from + 3),
                                   .column = (uint32_t)sql_whole(sql, from + 4),
                                   .named = sql_whole(sql, from + 5)};
}

bool store_documents(struct store *store, store_document_visit visit, void *context, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, store, err,
                       "SELECT id, name, digest, position, made, sentences, words, " READING
                       " FROM documents ORDER BY position",
                       "");
    while (sql_next(&sql, &ok, err)) {
        struct store_document document = {.id = sql_whole(&sql, 0),
                                          .name = sql_string(&sql, 1),
                                          .digest = sql_string(&sql, 2),
                                          .position = sql_whole(&sql, 3),
                                          .when = sql_whole(&sql, 4),
                                          .reading = reading_of(&sql, 7),
                                          .sentences = (uint64_t)sql_whole(&sql, 5),
                                          .words = (uint64_t)sql_whole(&sql, 6)};
        ok = visit(context, &document, err);
    }
    sql_close(&sql);
    return ok;
}

bool store_sentences(struct store *store, int64_t document, store_sentence_visit visit, void *context,
                     struct vouch_error *err)
{
    struct sql sql;
    struct answer_room room = {0};
    bool ok = sql_open(&sql, store, err,
                       "SELECT s.id, s.document, s.place, s.line, s.words_digest, s.words, s.bytes, s.given FROM "
                       "sentences AS s JOIN documents AS c ON c.id = s.document WHERE (?1 = 0 OR s.document = ?1) AND "
                       "s.place IS NOT NULL ORDER BY c.position, s.piece",
                       "i", document);
    while (sql_next(&sql, &ok, err)) {
        struct store_sentence sentence = {.id = sql_whole(&sql, 0),
                                          .document = sql_whole(&sql, 1),
                                          .place = (uint64_t)sql_whole(&sql, 2),
                                          .line = (uint64_t)sql_whole(&sql, 3),
                                          .words_digest = (uint64_t)sql_whole(&sql, 4),
                                          .words = (uint32_t)sql_whole(&sql, 5),
                                          .bytes = sql_text(&sql, 6)};
        ok = answer_in_row(&room, &sql, 7, sentence.words, &sentence.given, err) && visit(context, &sentence, err);
    }
    sql_close(&sql);
    answer_room_release(&room);
    return ok;
}

/* Reads the one sentence of `bytes`, or the second if `second`. */
static bool read_one(const struct buffer *bytes, const struct reader_options *reading, bool second,
                     struct sentence *into, struct vouch_error *err)
{
    struct reader *reader = reader_open_memory(bytes->bytes, bytes->length, reading, err);
    enum reading state = reader ? READ_SENTENCE : READ_FAILED;
    for (int i = 0; state == READ_SENTENCE && i <= second; i++)
        state = reader_next(reader, into, err);
    reader_close(reader);
    if (state == READ_END)
        fail(err, VOUCH_ERR_FORMAT, "expected a sentence, found none");
    return state == READ_SENTENCE;
}

bool store_read_sentence(struct store *store, int64_t sentence, struct sentence *into, int64_t *document,
                         struct vouch_error *err)
{
    struct sql sql;
    struct buffer bytes = {0};
    enum reading state = READ_FAILED;
    bool ok = sql_open(&sql, store, err,
                       "SELECT s.document, s.line, s.words, s.bytes, c.sample, s.piece, " READING
                       " FROM sentences AS s JOIN documents AS c ON c.id = s.document WHERE s.id = ? AND s.place IS "
                       "NOT NULL",
                       "i", sentence) &&
              (state = sql_row(&sql, err)) == READ_SENTENCE;
    if (state == READ_END)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a sentence of the store, found %" PRId64, store->path,
                  sentence);
    if (ok) {
        struct reader_options reading = reading_of(&sql, 6);
        struct text sample = sql_text(&sql, 4);
        bool second = sample.length > 0 && sql_whole(&sql, 5) > 0;
        ok = (!second || (buffer_add(&bytes, sample, err) && buffer_add(&bytes, text_of("\n\n"), err))) &&
             buffer_add(&bytes, sql_text(&sql, 3), err) && read_one(&bytes, &reading, second, into, err);
        if (ok && into->N != sql_whole(&sql, 2))
            ok = fail(err, VOUCH_ERR_FORMAT, "%s: sentence %" PRId64 ": expected %" PRId64 " words, found %" PRIu32,
                      store->path, sentence, sql_whole(&sql, 2), into->N);
        if (ok) {
            into->number = (uint64_t)sql_whole(&sql, 1);
            if (document)
                *document = sql_whole(&sql, 0);
        }
    }
    sql_close(&sql);
    free(bytes.bytes);
    return ok;
}

bool store_read_document(struct store *store, int64_t document, struct buffer *bytes, struct reader_options *reading,
                         struct vouch_error *err)
{
    struct sql sql;
    enum reading state = READ_FAILED;
    bool ok = sql_open(&sql, store, err, "SELECT " READING " FROM documents WHERE id = ?", "i", document) &&
              ((state = sql_row(&sql, err)) == READ_SENTENCE ||
               (state == READ_END && fail(err, VOUCH_ERR_ARGUMENT,
                                          "%s: expected a document of the store, found %" PRId64, store->path,
                                          document)));
    if (ok)
        *reading = reading_of(&sql, 0);
    sql_close(&sql);
    ok = ok && sql_open(&sql, store, err, "SELECT bytes FROM sentences WHERE document = ? ORDER BY piece", "i",
                        document);
    while (ok && (state = sql_row(&sql, err)) == READ_SENTENCE)
        ok = buffer_add(bytes, sql_text(&sql, 0), err);
    sql_close(&sql);
    return ok && state == READ_END;
}
