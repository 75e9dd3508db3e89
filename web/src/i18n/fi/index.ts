import { en } from "../en";
import { board } from "./board";

export const fi = { ...en, ...board } as const;
