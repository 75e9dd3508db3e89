import type { HandProps } from "./types";

export function Hand({ game, moves, onPlay, onDraw, onPass, onCall, t }: HandProps) {
  return (
    <div>
      <p>{game.view?.hand.map((tile) => `${tile.high}-${tile.low}`).join(" ")}</p>
      {moves.map((move, index) => {
        const { action } = move;
        switch (action.case) {
          case "playTile": {
            const { tile, train } = action.value;
            if (!tile || !train) return null;
            const to = train.train.case === "seat" ? train.train.value : "mexican";
            return (
              <button type="button" key={index} onClick={() => onPlay(tile, to)}>
                {tile.high}-{tile.low} → {to}
              </button>
            );
          }
          case "drawTile":
            return (
              <button type="button" key={index} onClick={onDraw}>
                {t("board.draw")}
              </button>
            );
          case "passTurn":
            return (
              <button type="button" key={index} onClick={onPass}>
                {t("board.pass")}
              </button>
            );
          case "callLastTile":
            return (
              <button type="button" key={index} onClick={onCall}>
                {t("board.call")}
              </button>
            );
          default:
            return null;
        }
      })}
    </div>
  );
}
