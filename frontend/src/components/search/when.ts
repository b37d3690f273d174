import { timeOf } from "../../lib/format";
import { date } from "../ui/when";

/** dayOf is a time of today, or a day, as a list of results shows it. */
export function dayOf(at: number, now: number): string {
  return at >= new Date(now).setHours(0, 0, 0, 0) ? timeOf(at) : date(at, now);
}
