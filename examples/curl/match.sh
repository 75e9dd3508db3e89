#!/usr/bin/env bash
# Plays a whole match between two persons with nothing but curl: create, deal, play, score.
#
#   examples/curl/match.sh URL KEY [ROUNDS]
#
# `mextrain serve` prints both. What a seat does is its first legal move; a person would choose.
set -euo pipefail

url=$1 key=$2 rounds=${3:-1}

# Calls the service: credential, verb, path, body. A refusal ends the script with what it says.
call() {
  curl --silent --show-error --fail-with-body --max-time 20 --request "$2" "$url$3" \
    --header "Authorization: Bearer $1" --header 'Content-Type: application/json' \
    ${4:+--data "$4"}
}

# Prints the first value of a field in an answer. Enough for this script; elsewhere use jq.
first() { grep --only-matching --max-count 1 "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2- | tr -d '"'; }

created=$(call "$key" POST /v1/games '{
  "seats": [{"person": {"playerId": "ada"}}, {"person": {"playerId": "bob"}}],
  "overrides": {"rounds": "ROUNDS_FIXED", "roundCount": '"$rounds"'}
}')
game=/v1/games/$(first gameId <<<"$created")
mapfile -t tokens < <(grep --only-matching '"token":"[^"]*"' <<<"$created" | cut -d'"' -f4)
echo "The game is $game."

moves=0
for round in $(seq "$rounds"); do
  table=$(call "$key" POST "$game:deal" '{"requestId": "deal-'"$round"'"}')
  while [[ $(first phase <<<"$table") == PHASE_PLAYING ]]; do
    turn=$(first turn <<<"$table")
    token=${tokens[$turn]}
    legal=$(call "$token" GET "$game/legalMoves")
    # The moves come in one list, each an object of the shape that `:play` takes.
    move=$(sed -E 's/^.*"moves":\[(\{.*)$/\1/' <<<"$legal" |
      grep --only-matching -E '^\{"(playTile":\{"tile":\{[^}]*\},"train":\{[^}]*\}\}|[a-zA-Z]+":\{\})\}')
    body='{"moves": ['"$move"'], "requestId": "move-'"$((++moves))"'"}'
    table=$(call "$token" POST "$game:play" "$body")
  done
  echo "Round $round is over after $moves moves."
done

call "$key" GET "$game/score"
echo
