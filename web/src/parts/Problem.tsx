import { say } from "../i18n";
import { Icon } from "./Icon";

interface Props {
  readonly text: string;
  readonly onClose?: () => void;
}

/** What did not work, in words; read out at once. */
export function ProblemNote({ text, onClose }: Props) {
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <p>{text}</p>
      {onClose && (
        <button type="button" class="icon-button" aria-label={say("app.close")} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
