import { useEffect, useState } from "preact/hooks";
import type { RuleChapter, RuleSet } from "../gen/mextrain/v1/rule_set_pb";
import { language, say } from "../i18n";
import { serviceFor } from "../net/client";
import { type Problem, problemOf } from "../net/problem";
import { problemText } from "../words/problems";
import { ProblemNote } from "./Problem";

interface Asked {
  readonly preset: string;
  readonly overrides: RuleSet;
  readonly players: number;
}

/** What a rule set means, chapter by chapter, as the service explains it. */
export function Rules({ preset, overrides, players }: Asked) {
  const [chapters, setChapters] = useState<readonly RuleChapter[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const left = new AbortController();
    serviceFor()
      .explainRules({ preset, overrides, players }, { signal: left.signal })
      .then(
        (answer) => {
          setChapters(answer.chapters);
          setProblem(null);
        },
        (error: unknown) => !left.signal.aborted && setProblem(problemOf(error)),
      );
    return () => left.abort();
  }, [preset, overrides, players]);
  if (problem) return <ProblemNote text={problemText(problem, [], say)} />;
  if (chapters.length === 0) return <p>{say("app.loading")}</p>;
  return (
    <div class="rules">
      {language.value !== "en" && <p class="aside">{say("app.english")}</p>}
      {chapters.map(({ chapterId, title, sentences }) => (
        <section key={chapterId} lang="en">
          <h3>{title}</h3>
          <ul>
            {sentences.map(({ ruleId, text }) => (
              <li key={ruleId}>{text}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
