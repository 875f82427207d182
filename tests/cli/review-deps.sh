# Enhanced arcs in DEPS follow the arcs that decisions change, or are cleared, and a message says so.
. "$CLI/common"
tab() { tr ' ' '\t'; }
tab >trees.conllu <<'END'
1 Anna Anna PROPN NNP _ 2 nsubj 2:nsubj|5:nsubj _
2 eats eat VERB VBZ _ 0 root 0:root _
3 soup soup NOUN NN _ 2 obj 2:obj _
4 and and CCONJ CC _ 5 cc 5:cc _
5 sleeps sleep VERB VBZ _ 2 conj 0:root|2:conj:and _
6 in in ADP IN _ 7 case 7:case _
7 Rome Rome PROPN NNP _ 2 obl 2:obl:in _
8 now now ADV RB _ 2 advmod 4.1:advmod|5:advmod _
9 again again ADV RB _ 2 advmod 4.1:advmod _
10 . . PUNCT . _ 2 punct _ _
11 here here ADV RB _ 2 advmod 2:advmod|5:obl|9:dep _
12 too too ADV RB _ 2 advmod 2:advmod|4.1:advmod|5:dep _

END
# word, given, wanted: a new head; a new relation; both; an arc that is in DEPS already; one that
# is not; one in front of an arc of the same head, and of an empty node behind it; DEPS that are empty.
{
    printf 'file\tline\tword\twords\ttext\tgiven\tproposed\tdecision\tlayer\n'
    printf 'trees.conllu\t7\t7\t1\tRome\t2:obl\t5:obl\t+\tarc\n'
    printf 'trees.conllu\t3\t3\t1\tsoup\t2:obj\t2:xcomp\t+\tarc\n'
    printf 'trees.conllu\t1\t1\t1\tAnna\t2:nsubj\t7:nmod\t+\tarc\n'
    printf 'trees.conllu\t8\t8\t1\tnow\t2:advmod\t5:advmod\t+\tarc\n'
    printf 'trees.conllu\t9\t9\t1\tagain\t2:advmod\t5:advmod\t+\tarc\n'
    printf 'trees.conllu\t11\t11\t1\there\t2:advmod\t5:advmod\t+\tarc\n'
    printf 'trees.conllu\t12\t12\t1\ttoo\t2:advmod\t4:advmod\t+\tarc\n'
    printf 'trees.conllu\t10\t10\t1\t.\t2:punct\t5:punct\t+\tarc\n'
} >decided.tsv
try "$VOUCH" review --new-labels --apply decided.tsv -o out.conllu trees.conllu
diff trees.conllu out.conllu | grep '^[<>]' | cut -f 1,2,7-9
# The projective head of CoNLL-X, in the same column, is left alone.
sed 's/2:obj	_$/3	obj/; s/	[0-9.:a-z|]*	_$/	_	_/' trees.conllu >trees.conll
sed -n '1p; /soup/p' decided.tsv | sed 's/trees.conllu/trees.conll/' >x.tsv
try "$VOUCH" review --new-labels --apply x.tsv -o out.conll trees.conll
sed -n 3p out.conll
