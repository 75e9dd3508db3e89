import { chooseLanguage, LANGUAGES, type Language, language, say } from "../i18n";
import { setTheme, THEMES, type Theme, theme } from "../theme";
import { Icon } from "./Icon";

const THEME_ICONS = { auto: "contrast", light: "sun", dark: "moon" } as const;

/** The language and the colours of the page. */
export function Settings() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  return (
    <div class="settings">
      <label class="language">
        <span class="unseen">{say("app.language")}</span>
        <Icon name="globe" />
        <select
          value={language.value}
          onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="icon-button"
        aria-label={`${say("app.theme")}: ${say(`app.theme.${theme.value}`)}`}
        title={`${say("app.theme")}: ${say(`app.theme.${theme.value}`)}`}
        onClick={() => setTheme(next satisfies Theme)}
      >
        <Icon name={THEME_ICONS[theme.value]} />
      </button>
    </div>
  );
}
