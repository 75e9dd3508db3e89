import { en } from "../en";
import { board } from "./board";

export const nb = { ...en, ...board } as const;
