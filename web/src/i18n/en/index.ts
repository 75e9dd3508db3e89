import { board } from "./board";

export const en = { ...board } as const;
