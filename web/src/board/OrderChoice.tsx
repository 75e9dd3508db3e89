// The choice of how the hand is arranged.

import { useId } from "preact/hooks";
import type { Translate } from "../i18n/translate";
import { OrderIcon } from "./icons";
import { type Arrangement, ORDERS } from "./order";

interface OrderChoiceProps {
  readonly arrangement: Arrangement;
  readonly t: Translate;
}

export function OrderChoice({ arrangement, t }: OrderChoiceProps) {
  const group = useId();
  return (
    <fieldset class="hand-order">
      <legend class="sr-only">{t("hand.order")}</legend>
      {ORDERS.map((order) => (
        <label key={order} class="hand-order-choice">
          <input
            type="radio"
            name={group}
            checked={arrangement.order === order}
            aria-label={t(`hand.order.${order}`)}
            onChange={() => arrangement.choose(order)}
          />
          <span title={t(`hand.order.${order}`)}>
            <OrderIcon order={order} />
            <span class="hand-order-word">{t(`hand.order.${order}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
