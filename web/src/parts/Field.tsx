import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Attributes {
  readonly id: string;
  readonly "aria-describedby"?: string;
}

interface Props {
  readonly label: string;
  /** What there is to know beside the label. */
  readonly aside?: ComponentChildren;
  /** Draws the control, with the attributes that tie it to its label. */
  readonly children: (attributes: Attributes) => ComponentChildren;
}

/** A control with its label above and a remark below. */
export function Field({ label, aside, children }: Props) {
  const id = useId();
  const remark = `${id}-remark`;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children(aside ? { id, "aria-describedby": remark } : { id })}
      {aside && (
        <p class="aside" id={remark}>
          {aside}
        </p>
      )}
    </div>
  );
}
