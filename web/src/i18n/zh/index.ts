import { board } from "./board";

export const zh = { ...board } as const;
