import type { Texts } from "../translate";
import { app } from "./app";
import { board } from "./board";

export const id = { ...app, ...board } as const satisfies Texts;
