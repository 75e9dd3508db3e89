import type { Table } from "../game/table";
import { say } from "../i18n";

interface Props {
  readonly table: Table;
  readonly names: readonly string[];
}

export function Fairness({ table }: Props) {
  return (
    <p>
      {table.game.value?.commitments.length} {say("fair.text")}
    </p>
  );
}
