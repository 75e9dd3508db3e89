// Reads everything that happened in a game, as the caller may know it.

import type { Event } from "../gen/mextrain/v1/event_pb";
import type { Service } from "../net/client";

const PAGE = 500;

export async function wholeStory(
  service: Service,
  gameId: string,
  signal: AbortSignal,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  let pageToken = "";
  do {
    const page = await service.listEvents({ gameId, pageSize: PAGE, pageToken }, { signal });
    events.push(...page.events);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return events;
}
