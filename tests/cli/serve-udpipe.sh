# UDPipe's interface: models, and text in the ways in which its clients send it.
. "$CLI/common"
"$VOUCH" sample --kind dep -n 120 >train.conllu
printf 'U0:%%x[0,0]\nU1:%%suffix3[0,0]\n' >template
learn -t pos --column upos --no-calibrate -n 2 --template template -o en-upos.vouch train.conllu
learn -t dep --no-calibrate -n 2 --bits 12 -o en-parse.vouch train.conllu
"$VOUCH" sample -n 60 | cut -d ' ' -f 1,4 >columns
learn -t ner --no-calibrate -n 1 -o names.vouch columns

"$VOUCH" serve -q --port 0 -m en-upos.vouch -m en-parse.vouch -m names.vouch >url &
trap 'kill $!' EXIT
wait_for url http
url=$(cat url)
ask() { curl -sS "$@"; }
# The result of a response, as it is; the version of the program is left out.
columns() { printf '%b' "$(sed 's/.*"result":"//; s/"}$//; s/\\"/"/g; s/= vouch [0-9.]*/= vouch V/')"; }

echo '-- models'
ask "${url}models"
ask --data '' "${url}models"
echo '-- text in the address, as its users write it'
ask "${url}process?tokenizer&tagger&parser&data=The%20bank+said%20she%20left.%20It%20rose" | tee first | columns
echo '-- as a form, and as a form in parts: the same'
ask --data 'tokenizer=&tagger=&parser=&data=The bank said she left. It rose' "${url}process" | cmp - first
ask -F 'data=The bank said she left. It rose' -F tokenizer= -F tagger= -F parser= "${url}process" | cmp - first
printf 'The bank said she left. It rose' >text
ask -F data=@text -F tokenizer= -F tagger= -F parser= -F model=en "${url}process" | sed 's/"en"/"all"/; s/= en/= all/' |
    cmp - first
echo '-- what is between words, and where they are'
printf '\n Zürich  rose.\r\n\r\n\302\253\302\240No\302\240\302\273 \360\237\221\250\342\200\215\360\237\221\251\n' >text
ask -F data=@text -F tokenizer=ranges "${url}process" | columns
echo '-- lines that are sentences'
printf 'A b. C\nd\n' >text
ask -F data=@text --form-string 'tokenizer=presegmented;ranges' "${url}process" | columns
echo '-- words that are there: lines, one a line, CoNLL-U'
ask -F data='The bank rose' -F input=horizontal -F tagger= -F model=en-upos "${url}process" | columns
printf 'The\tx\nbank\n\nIt\n' >words
ask -F data=@words -F input=vertical -F tagger= -F output=horizontal "${url}process" | columns
printf '# a comment\n1-2\tIt\047s\t_\t_\t_\t_\t_\t_\t_\t_\n1\tIt\tit\t_\t_\t_\t_\t_\t_\tKept=Yes\n' >in
printf '2\tis\tbe\t_\t_\t_\t_\t_\t_\t_\n\n' >>in
ask -F data=@in -F tagger= -F parser= -F output=conllu "${url}process" | columns
ask -F data=@in -F output=vertical "${url}process" | columns
echo '-- ours: confidence, alternatives'
ask -F data='The bank rose' -F tokenizer= -F parser= -F confidence=delta -F nbest=2 "${url}process" | columns |
    sed 's/0\.[0-9]*/P/g; s/Conf=[0-9.]*/Conf=P/g; s/conf\([a-z_]*\) = [0-9.]*$/conf\1 = P/'
echo '-- refused'
refused() { ask -w ' %{http_code}\n' "$@" | sed 's/.*"detail":"\([^"]*\)".*/\1/'; }
refused "${url}process?tokenizer"
refused "${url}process?data=a&model=names"
refused "${url}process?data=a&model=cz"
refused "${url}process?data=a&tokenizer&parser&model=en-upos"
refused "${url}process?data=a&tokenizer&tagger&model=en-parse"
refused "${url}process?data=a&input=epe"
refused "${url}process?data=a&tokenizer&input=epe"
refused "${url}process?data=no+columns"
refused "${url}process?data=a&tokenizer&threshold=high"
refused "${url}process?data=a&output=matxin"
refused "${url}process?data=a&tokenizer&tagger&nbest=two"
refused "${url}process?data=a&tokenizer&tagger&confidence=delta%26output%3Dx"
refused --data-binary 'data=%FF&tokenizer=' "${url}process"
refused -F data='1 a' -F tagger= "${url}process"
refused -H 'Content-Type: text/plain' --data 'data=a' "${url}process"
refused -H 'Content-Type: multipart/form-data; boundary=x' --data-binary '--y' "${url}process"
refused -X DELETE "${url}process"
