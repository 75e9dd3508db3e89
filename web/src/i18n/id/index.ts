import { board } from "./board";

export const id = { ...board } as const;
