# Scores that are probably not what was meant: probabilities, labels in another order, sentences taken for sets.
. "$CLI/common"
# Writes the .npy of the shape $1, whose numbers come from standard input.
npy()
{
    printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($1), }"
    cat
}
printf 'O\nB-X\n' >labels.txt
printf 'a O\nb B-X\n' >words.txt
quarter='\000\000\200\076' half='\000\000\000\077' three='\000\000\100\077'
one='\000\000\200\077' zero='\000\000\000\000'
echo "== probabilities"
printf "$quarter$three$half$half" | npy '2, 2' >probabilities.npy
try "$VOUCH" judge --scores probabilities.npy --labels labels.txt words.txt
printf "$quarter$three$half$half$zero$zero" | npy '1, 3, 2' >padded.npy
try "$VOUCH" judge --padded --scores padded.npy --labels labels.txt words.txt
echo "== scores that look a little like them"
printf "$quarter$three$half$one" | npy '2, 2' >scores.npy
try "$VOUCH" judge -q -c none --scores scores.npy --labels labels.txt words.txt
printf "$one$zero$zero$one" | npy '2, 2' >whole.npy
try "$VOUCH" judge -q -c none --scores whole.npy --labels labels.txt words.txt
echo "== labels in another order"
printf 'B-X\nO\n' >turned.txt
"$VOUCH" judge --scores whole.npy --labels turned.txt --gold words.txt 2>&1 >found | grep warning
echo "== sentences taken for sets"
head -c 8800 /dev/zero | npy '1100, 1, 2' >many.npy
try "$VOUCH" judge -q --scores many.npy --labels labels.txt words.txt
