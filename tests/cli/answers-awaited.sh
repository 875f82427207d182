# A client that sends the next question when the last one is answered gets every answer, in any format and with any
# number of threads; some questions come with the beginning of the next one.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 50 >train.txt
learn -t pos -n 1 --no-calibrate -o pos.vouch train.txt
"$VOUCH" sample --kind dep -n 50 >train.conllu
learn -t dep -n 1 --bits 12 --no-calibrate -o dep.vouch train.conllu
printf 'D\tw=the\nN\tw=end\n\nN\tw=end\nV\tw=is\n\n' >train.crfsuite
learn -t pos -n 1 --format crfsuite --no-calibrate -o attributes.vouch train.crfsuite
mkfifo questions answers

# talk LINES COMMAND...: asks what each line of standard input says, for printf, and waits for that many lines.
talk()
{
    lines=$1
    shift
    cat >script
    for j in 1 2 8; do
        timeout -s KILL 200 "$VOUCH" "$@" -j $j <questions >answers &
        exec 3>questions 4<answers
        while read -r question; do
            printf "$question" >&3
            for n in $(seq $lines); do
                read -r answer <&4 && echo "$answer" || echo "no answer"
            done
        done <script >answered.$j
        exec 3>&- 4<&-
        wait $! || echo "status $?"
    done
    cat answered.1
    cmp answered.1 answered.2
    cmp answered.1 answered.8
}

# The first question may be short.
talk 1 tag -m pos.vouch --format plain <<'END'
yes ?\n
END
talk 1 tag -m pos.vouch --format plain <<'END'
is this a question ?\n
so is this ,\nand th
is ,\n
END
talk 3 tag -m pos.vouch --format conll <<'END'
this\nis\n\n
that\nwas\n\nth
is\nis\n\n
END
talk 2 tag -m attributes.vouch --format crfsuite <<'END'
N\tw=end\n\n
N\tw=the\n\nN\tw=
it\n\n
END
talk 1 tag -m pos.vouch --format jsonl <<'END'
{"tokens": ["this", "is"]}\n
{"tokens": ["that"]}\n{"tokens":
["that", "is"]}\n
END
talk 3 parse -m dep.vouch --format conllu <<'END'
1\tBirds\t_\tNOUN\tNNS\t_\t_\t_\t_\t_\n2\tsing\t_\tVERB\tVBP\t_\t_\t_\t_\t_\n\n
1\tBirds\t_\tNOUN\tNNS\t_\t_\t_\t_\t_\n2\tsing\t_\tVERB\tVBP\t_\t_\t_\t_\t_\n\n1\tBi
rds\t_\tNOUN\tNNS\t_\t_\t_\t_\t_\n2\tsing\t_\tVERB\tVBP\t_\t_\t_\t_\t_\n\n
END
talk 1 parse -m dep.vouch --format jsonl <<'END'
{"tokens": ["Birds", "sing"]}\n
{"tokens": ["Birds"]}\n{"tokens":
["Birds", "sing"]}\n
END
