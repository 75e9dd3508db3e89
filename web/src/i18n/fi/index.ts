import { board } from "./board";

export const fi = { ...board } as const;
