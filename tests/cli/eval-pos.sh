# Labels that are no chunks are counted word by word.
cat >labelled <<'END'
The DT DT
dog NN NN
barks VBZ NNS

It PRP PRP
barks VBZ VBZ
END
"$VOUCH" eval labelled 2>&1
