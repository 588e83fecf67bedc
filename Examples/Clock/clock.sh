#!/bin/sh
# An app that knows nothing of Roost: it is adopted.
while true; do
    date
    sleep 1
done
