import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../i18n";
import type { Frame } from "../replay/frames";
import { Icon, type IconName } from "./Icon";

interface Props {
  readonly frames: readonly Frame[];
  readonly at: number;
  readonly onMove: (at: number) => void;
}

const SPEEDS = [0.5, 1, 2, 4];
const FRAME_MS = 900;

/** Steps through the frames, by buttons, by a slider, by keys, or by itself. */
export function Player({ frames, at, onMove }: Props) {
  const last = frames.length - 1;
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(1);
  const to = (next: number) => onMove(Math.min(last, Math.max(0, next)));
  const toggle = () => {
    if (!running && at === last) onMove(0);
    setRunning(!running);
  };

  useEffect(() => {
    if (!running) return;
    if (at >= last) return setRunning(false);
    const timer = setTimeout(() => onMove(at + 1), FRAME_MS / speed);
    return () => clearTimeout(timer);
  }, [running, at, last, speed, onMove]);

  useKeys({
    ArrowLeft: () => to(at - 1),
    ArrowRight: () => to(at + 1),
    Home: () => to(0),
    End: () => to(last),
    " ": toggle,
  });

  return (
    <div class="player-bar" role="group" aria-label={say("replay.title")}>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={say("replay.position")}
        aria-valuetext={say("replay.at", { n: at + 1, total: last + 1 })}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <div class="player-buttons">
        <output>{say("replay.at", { n: at + 1, total: last + 1 })}</output>
        <div class="player-steps">
          <Step name="first" label={say("replay.first")} onStep={() => to(0)} />
          <Step name="back" label={say("replay.back")} onStep={() => to(at - 1)} />
          <button
            type="button"
            class="primary"
            aria-label={say(running ? "replay.pause" : "replay.play")}
            onClick={toggle}
          >
            <Icon name={running ? "pause" : "play"} />
          </button>
          <Step name="forward" label={say("replay.forward")} onStep={() => to(at + 1)} />
          <Step name="last" label={say("replay.last")} onStep={() => to(last)} />
        </div>
        <select
          aria-label={say("replay.speed")}
          value={String(speed)}
          onChange={(event) => setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={String(each)}>
              × {each}
            </option>
          ))}
        </select>
      </div>
      <p class="aside">{say("replay.keys")}</p>
    </div>
  );
}

interface StepProps {
  readonly name: IconName;
  readonly label: string;
  readonly onStep: () => void;
}

function Step({ name, label, onStep }: StepProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onStep}>
      <Icon name={name} />
    </button>
  );
}

/** Keys step, wherever the focus is, unless what has it uses them itself. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const used = (event.target as Element).closest("input, select, textarea, dialog");
      const onButton = event.key === " " && (event.target as Element).closest("button, a");
      const act = latest.current[event.key];
      if (!act || used || onButton || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
