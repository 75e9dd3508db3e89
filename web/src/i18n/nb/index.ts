import type { Texts } from "../translate";
import { app } from "./app";
import { board } from "./board";

export const nb = { ...app, ...board } as const satisfies Texts;
