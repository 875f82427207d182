"""The options of the functions as types. Made by script/keywords from the tables of options: do not edit."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

_Path = str | PathLike[str]


class TagOptions(TypedDict, total=False):
    """Options of `vouch tag`."""

    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    on_error: Literal["stop", "report"] | None
    """What to do about a bad line of JSON lines: stop, or report it in its place and go on [stop]."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    consistency: bool | None
    """Estimate confidence also by what the same words are called in the sentences around, some hundreds of them;
    the same as --confidence committee+text."""
    sets: bool | None
    """For every word, and every chunk, a set that holds the right choice as often as 'vouch tune --coverage' saw
    to."""
    threshold: float | None
    """Flag answers whose confidence is below T, or see --replace; -1 is no threshold [-1]."""
    replace: str | None
    """With --threshold: write LABEL instead of labels whose confidence is below it."""
    operating_point: bool | None
    """Leave out doubtful entities, or add words, by the threshold that 'vouch trade' kept in the model."""


class ParseOptions(TypedDict, total=False):
    """Options of `vouch parse`."""

    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    on_error: Literal["stop", "report"] | None
    """What to do about a bad line of JSON lines: stop, or report it in its place and go on [stop]."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    consistency: bool | None
    """Estimate confidence also by what the same words are called in the sentences around, some hundreds of them;
    the same as --confidence committee+text."""
    sets: bool | None
    """For every word, and every chunk, a set that holds the right choice as often as 'vouch tune --coverage' saw
    to."""
    threshold: float | None
    """Flag answers whose confidence is below T, or see --replace; -1 is no threshold [-1]."""
    replace: str | None
    """With --threshold: write LABEL instead of labels whose confidence is below it."""


class TrainOptions(TypedDict, total=False):
    """Options of `vouch train`."""

    from_: _Path | None
    """Go on from MODEL, which decides what is learned and how; 3 passes by default."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [crf]."""
    passes: int | None
    """Passes over the training data [10]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    multi_root: Literal["skip", "keep", "attach"] | None
    """Dep: skip training sentences with several roots, keep them, or attach the others to the first root
    [skip]."""
    tune: bool | None
    """First choose C, phi or rate on a held-out quarter of the data."""
    partial: bool | None
    """Labels may be open, ? or _, in JSON null: learn from those that are there."""
    context: int | None
    """Of labels: look at what a first stage calls the same words in N sentences before and after; 0: do not
    [0]."""
    shards: int | None
    """Cut the corpus into S shards that learn side by side, on --threads, and are mixed after every pass [1]."""
    stages: int | None
    """Stages of parsing by crf: the second looks at the tree that the first has found [2]."""
    dev: _Path | None
    """Measure on FILE after every pass."""
    best_pass: bool | None
    """Keep each voice as it was after the pass that does best on --dev, not the last."""
    checkpoint: _Path | None
    """Keep what was learned in FOLDER after every pass, until the model is written."""
    resume: bool | None
    """Go on with what --checkpoint has, MODEL.checkpoint by default; the model is the same."""
    no_calibrate: bool | None
    """Do not calibrate confidence after training."""
    grid: Literal["quick", "full", "paper"] | None
    """Values to try for the methods of confidence: quick, a few; full, as many as in the paper, in units of the
    weights; paper, the paper's own [quick]."""
    plain_draws: bool | None
    """Draw models for kd-fix and kd-pc independently of each other, the same for all sentences, as in the paper;
    if not given, in pairs of opposite noise, for every sentence anew, and votes are moved towards their limit."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class CrossValidateOptions(TypedDict, total=False):
    """Options of `vouch eval`."""

    confidence: str | Sequence[str] | None
    """Methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the
    one that was found best when the model was calibrated."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    consistency: bool | None
    """Estimate confidence also by what the same words are called in the sentences around, some hundreds of them;
    the same as --confidence committee+text."""
    resamples: int | None
    """Samples of the sentences for the intervals, and for the test of ECE; 0 for neither [200]."""
    seeds: int | None
    """Draw models with N seeds: average precision and RMSE of methods that draw are means over these, and
    intervals count the luck of the draw [1]."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [crf]."""
    passes: int | None
    """Passes over the training data [10]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    multi_root: Literal["skip", "keep", "attach"] | None
    """Dep: skip training sentences with several roots, keep them, or attach the others to the first root
    [skip]."""
    tune: bool | None
    """First choose C, phi or rate on a held-out quarter of the data."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class EvaluateOptions(TypedDict, total=False):
    """Options of `vouch eval`."""

    confidence: str | Sequence[str] | None
    """Methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the
    one that was found best when the model was calibrated."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    consistency: bool | None
    """Estimate confidence also by what the same words are called in the sentences around, some hundreds of them;
    the same as --confidence committee+text."""
    resamples: int | None
    """Samples of the sentences for the intervals, and for the test of ECE; 0 for neither [200]."""
    seeds: int | None
    """Draw models with N seeds: average precision and RMSE of methods that draw are means over these, and
    intervals count the luck of the draw [1]."""
    folds: int | None
    """Cross-validate the files in N parts instead; several algorithms are compared."""
    task: str | None
    """With --folds: what to learn: np, chunk, ner, pos or dep; for answers in files: np counts only noun
    phrases."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [crf]."""
    passes: int | None
    """Passes over the training data [10]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    multi_root: Literal["skip", "keep", "attach"] | None
    """Dep: skip training sentences with several roots, keep them, or attach the others to the first root
    [skip]."""
    tune: bool | None
    """First choose C, phi or rate on a held-out quarter of the data."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class TuneOptions(TypedDict, total=False):
    """Options of `vouch tune`."""

    grid: Literal["quick", "full", "paper"] | None
    """Values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a
    few, as training does [full]."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is 50 [0]."""
    plain_draws: bool | None
    """Draw models for kd-fix and kd-pc independently of each other, the same for all sentences, as in the paper;
    if not given, in pairs of opposite noise, for every sentence anew, and votes are moved towards their limit."""
    coverage: float | None
    """Instead: find out how large sets of choices must be to hold the right one with the probability C, for
    'vouch tag --sets' and 'vouch parse --sets'; 0 is no [0]."""
    by: Literal["label"] | None
    """With --coverage: find a threshold for each label, type of chunks and relation (label), so that each is held
    with this probability, where there are enough of it; others share one."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class ForecastOptions(TypedDict, total=False):
    """Options of `vouch forecast`."""

    labelled: _Path | None
    """Labelled sentences of the same text, chosen at random: some fifty make the intervals narrower."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class TradeOptions(TypedDict, total=False):
    """Options of `vouch trade`."""

    confidence: str | Sequence[str] | None
    """Methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the
    one that was found best when the model was calibrated."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    direction: Literal["precision", "recall", "both"] | None
    """Precision: leave out entities of low confidence; recall: label words that are outside with low confidence;
    or both [both]."""
    merge_types: bool | None
    """Read all types of entities as one."""
    drop: Literal["entities", "words"] | None
    """What becomes O: whole entities, or single words, as in the paper [entities]."""
    unit: Literal["entities", "words"] | None
    """What to count: entities, or the words in them [entities]."""
    precision: float | None
    """Choose the threshold of the most recall with at least this precision; -o or --in-place keeps it."""
    recall: float | None
    """Choose that of the most precision with at least this recall."""
    guarantee: float | None
    """With --precision or --recall: choose a threshold that has this much on text from the same source, with the
    probability G; 0 is none [0]."""
    by: str | None
    """With --precision or --recall: a threshold for each type of entities (type), or for the sentences whose
    first word has the same value in a column (its number); each has the guarantee by itself."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, jsonl or conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the one that training took [0]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class ReviewOptions(TypedDict, total=False):
    """Options of `vouch review`."""

    level: Literal["word", "chunk", "entity", "sentence"] | None
    """What to list: word, chunk (or entity), or sentence [word]."""
    inspect: str | int | None
    """How many of them to list: a number, a share as in 5%, or all [1%]."""
    audit: int | None
    """List N that are drawn at random instead: decisions about them tell how many errors there are [0]."""
    decided: _Path | Sequence[_Path] | None
    """Learn from what was decided in this edited table, and list the rest; may be given once for each round."""
    folds: int | None
    """With --task: judge each of N parts by what was learned from the others [5]."""
    names: bool | None
    """With --task: also suspect words that have one label everywhere, where their contexts suggest another
    type."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [cw+crf]."""
    passes: int | None
    """Passes over the training data [3]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class NextOptions(TypedDict, total=False):
    """Options of `vouch active`."""

    confidence: str | Sequence[str] | None
    """Choose by these methods of confidence, each also as METHOD/mean or METHOD/length, with probabilities as
    METHOD/entities or METHOD/density, and with drawn models as METHOD/bald; or by fluctuation; a simulation
    compares kd-fix, kd-pc, delta, gamma, committee and random by default, next uses the one that the model
    prefers, as /mean, or of trees as /length."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is 50, or what the model was tuned with [0]."""
    plain_draws: bool | None
    """Draw models for kd-fix and kd-pc independently of each other, the same for all sentences, as in the paper;
    if not given, in pairs of opposite noise, for every sentence anew, and votes are moved towards their limit."""
    diversity: float | None
    """Skip a sentence that shares more than this part of its features (next: words) with one that is already
    chosen; 0 skips none [0]."""
    cost: str | None
    """Seconds that labelling takes for a sentence, for each of its words, and for each chunk to mark or label or
    head to correct [13,3.8,5.4]."""
    task: str | None
    """What to learn: np, chunk, ner, pos or dep."""
    test: _Path | None
    """Labelled sentences to measure on."""
    initial: int | None
    """Sentences labelled at random to begin with [50]."""
    candidates: int | None
    """Random sentences to choose from in a round [1000]."""
    choose: int | None
    """How many of them are labelled [10]."""
    every: int | None
    """Measure after every N further sentences [100]."""
    most: int | None
    """Sentences to label in all [5000]."""
    repeats: int | None
    """Repeat all of it with other random choices [1]."""
    scratch: bool | None
    """Learn from nothing in every round, not only where it is measured."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [cw]."""
    passes: int | None
    """Passes over the training data [10]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    multi_root: Literal["skip", "keep", "attach"] | None
    """Dep: skip training sentences with several roots, keep them, or attach the others to the first root
    [skip]."""
    number: int | None
    """How many sentences to choose [20]."""
    predict: bool | None
    """Write the sentences with the model's labels, to be corrected."""
    vectors: Any
    """Vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of
    the input; % stands for the name of the input."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class AgreeOptions(TypedDict, total=False):
    """Options of `vouch agree`."""

    list: int | None
    """List N of the places in which annotators differ [20]."""
    resamples: int | None
    """Of sentences, for the intervals [1000]."""
    trees: bool | None
    """Compare trees; CoNLL-U is read so unless --column names labels."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    column: str | int | None
    """Column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1."""
    gold: int | None
    """Column of the gold label, from 1 (CoNLL columns); 0 is the last [0]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class ConvertOptions(TypedDict, total=False):
    """Options of `vouch convert`."""

    from_: str | None
    """The format of the files; if not given, it is recognised where that is certain."""
    edges: Literal["refuse", "cut", "widen"] | None
    """What to do about a span that begins or ends inside of a word: refuse it, cut the word there, or make the
    span wider [refuse]."""
    overlaps: Literal["refuse", "longest", "first"] | None
    """What to do about overlapping spans where the format has no room for them: refuse them, or keep the longest,
    or the first, of those that overlap [refuse]."""
    scheme: Literal["IOB2", "IOB1", "BIOES"] | None
    """How labels of words spell spans [IOB2]."""
    offsets: Literal["auto", "points", "utf16", "bytes"] | None
    """What the offsets of characters in the files count; auto: what the tool counts, which is code points
    [auto]."""
    names: str | None
    """The labels that the numbers of ner_tags stand for, from 0 on, separated by commas."""
    layer: str | None
    """What the tool calls the spans: a key of doccano, a control of Label Studio."""
    predictions: bool | None
    """Take a model's predictions for answers where the format cannot tell them apart; else they are left out."""
    all: bool | None
    """Write documents to jsonl that nobody accepted, too: rejected, skipped, predicted, or without an answer."""


class ClusterOptions(TypedDict, total=False):
    """Options of `vouch cluster`."""

    vectors: Any
    """A table of vectors, a word and its numbers in each line, as word2vec, GloVe and fastText write it as text;
    the commonest words first."""
    sizes: str | None
    """How many classes there are, in each column of the lexicon [64,128,512]."""
    words: int | None
    """With --vectors: the first N words decide the classes, and all words get one; of text: the commonest N words
    get one [30000]."""
    rounds: int | None
    """Rounds over the words [15]."""
    source: str | None
    """Where the vectors or the texts come from: models that are learned with the lexicon say so."""
    licence: str | None
    """Their licence, likewise."""
    format: Literal["auto", "conll", "crfsuite", "plain", "jsonl", "conllu"] | None
    """Input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it [auto]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class JudgeEvaluateOptions(TypedDict, total=False):
    """Options of `vouch eval`."""

    confidence: str | Sequence[str] | None
    """Methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the
    one that was found best when the model was calibrated."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    consistency: bool | None
    """Estimate confidence also by what the same words are called in the sentences around, some hundreds of them;
    the same as --confidence committee+text."""
    resamples: int | None
    """Samples of the sentences for the intervals, and for the test of ECE; 0 for neither [200]."""
    seeds: int | None
    """Draw models with N seeds: average precision and RMSE of methods that draw are means over these, and
    intervals count the luck of the draw [1]."""
    folds: int | None
    """Cross-validate the files in N parts instead; several algorithms are compared."""
    task: str | None
    """With --folds: what to learn: np, chunk, ner, pos or dep; for answers in files: np counts only noun
    phrases."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [crf]."""
    passes: int | None
    """Passes over the training data [10]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    multi_root: Literal["skip", "keep", "attach"] | None
    """Dep: skip training sentences with several roots, keep them, or attach the others to the first root
    [skip]."""
    tune: bool | None
    """First choose C, phi or rate on a held-out quarter of the data."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class JudgeTuneOptions(TypedDict, total=False):
    """Options of `vouch tune`."""

    grid: Literal["quick", "full", "paper"] | None
    """Values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a
    few, as training does [full]."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is 50 [0]."""
    plain_draws: bool | None
    """Draw models for kd-fix and kd-pc independently of each other, the same for all sentences, as in the paper;
    if not given, in pairs of opposite noise, for every sentence anew, and votes are moved towards their limit."""
    coverage: float | None
    """Instead: find out how large sets of choices must be to hold the right one with the probability C, for
    'vouch tag --sets' and 'vouch parse --sets'; 0 is no [0]."""
    by: Literal["label"] | None
    """With --coverage: find a threshold for each label, type of chunks and relation (label), so that each is held
    with this probability, where there are enough of it; others share one."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class JudgeTradeOptions(TypedDict, total=False):
    """Options of `vouch trade`."""

    confidence: str | Sequence[str] | None
    """Methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the
    one that was found best when the model was calibrated."""
    raw: bool | None
    """The methods' own numbers, not calibrated probabilities."""
    draws: int | None
    """Models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with [0]."""
    direction: Literal["precision", "recall", "both"] | None
    """Precision: leave out entities of low confidence; recall: label words that are outside with low confidence;
    or both [both]."""
    merge_types: bool | None
    """Read all types of entities as one."""
    drop: Literal["entities", "words"] | None
    """What becomes O: whole entities, or single words, as in the paper [entities]."""
    unit: Literal["entities", "words"] | None
    """What to count: entities, or the words in them [entities]."""
    precision: float | None
    """Choose the threshold of the most recall with at least this precision; -o or --in-place keeps it."""
    recall: float | None
    """Choose that of the most precision with at least this recall."""
    guarantee: float | None
    """With --precision or --recall: choose a threshold that has this much on text from the same source, with the
    probability G; 0 is none [0]."""
    by: str | None
    """With --precision or --recall: a threshold for each type of entities (type), or for the sentences whose
    first word has the same value in a column (its number); each has the guarantee by itself."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""


class JudgeReviewOptions(TypedDict, total=False):
    """Options of `vouch review`."""

    level: Literal["word", "chunk", "entity", "sentence"] | None
    """What to list: word, chunk (or entity), or sentence [word]."""
    inspect: str | int | None
    """How many of them to list: a number, a share as in 5%, or all [1%]."""
    audit: int | None
    """List N that are drawn at random instead: decisions about them tell how many errors there are [0]."""
    decided: _Path | Sequence[_Path] | None
    """Learn from what was decided in this edited table, and list the rest; may be given once for each round."""
    folds: int | None
    """With --task: judge each of N parts by what was learned from the others [5]."""
    names: bool | None
    """With --task: also suspect words that have one label everywhere, where their contexts suggest another
    type."""
    algorithm: str | None
    """Cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa) [cw+crf]."""
    passes: int | None
    """Passes over the training data [3]."""
    features: str | None
    """Built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given."""
    template: _Path | None
    """Features from a CRF++ template file."""
    lexicon: Mapping[str, _Path] | str | Sequence[str] | None
    """Classes of words, such as clusters or types of names, as features; a template sees them by the view
    NAME."""
    use: int | None
    """Built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all
    [0]."""
    cutoff: int | None
    """Leave out features seen fewer than N times [1]."""
    learn_as: Literal["iob2", "bioes", "keep"] | None
    """Scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own
    [iob2]."""
    no_constraints: bool | None
    """Answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after
    O."""
    k_best: int | None
    """Learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1 [0]."""
    C: float | None
    """Pa: the largest step [0.05]."""
    phi: float | None
    """Cw: how sure the margin must be; 0: 2 for labels, 0.3 for trees [0]."""
    covariance: Literal["full", "inverse", "exact"] | None
    """Cw: how variances follow: full, inverse or exact [full]."""
    variance: float | None
    """Cw: initial variance [1]."""
    rate: float | None
    """Crf: first step; 0: 0.25 for labels, 0.1 for trees [0]."""
    l2: float | None
    """Crf: strength of the Gaussian prior [0.05]."""
    vector_window: int | None
    """With --vectors: those of N words on either side are features of a word, too [1]."""
    vector_length: float | None
    """With --vectors: scale them to this length, in the mean square over the words learned from [2]."""
    unlabelled: bool | None
    """Dep: learn heads only, no relations."""
    bits: int | None
    """Dep: hash the features of arcs into 2^N weights [21]."""
    seed: int | None
    """Seed of all random choices [1]."""
    threads: int | None
    """Work on N threads; the output is the same [1]."""
