import { app } from "./app";
import { board } from "./board";

export const en = { ...app, ...board } as const;
