import { board } from "./board";

export const nb = { ...board } as const;
