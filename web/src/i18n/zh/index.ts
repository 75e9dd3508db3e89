import { en } from "../en";
import { board } from "./board";

export const zh = { ...en, ...board } as const;
