import type { Role } from "../routes";

interface Props {
  readonly gameId: string;
  readonly role: Role;
  readonly token: string;
}

export function Replay({ gameId }: Props) {
  return <p>{gameId}</p>;
}
