import { en } from "../en";
import { board } from "./board";

export const id = { ...en, ...board } as const;
