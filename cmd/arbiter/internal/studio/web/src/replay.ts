// The page of one fight that is over: it reads the replay document that stands in the page itself. The number after # in
// its address is the event that it shows first.
import "./replay.css";
import { mountFight, type Replay } from "./fight/index";

const text = document.getElementById("document")?.textContent;
const root = document.getElementById("replay");
if (text && root) {
  const view = mountFight(root, JSON.parse(text) as Replay, { page: true });
  const follow = () => {
    const n = Number.parseInt(location.hash.slice(1), 10);
    if (Number.isInteger(n)) view.go(n);
  };
  addEventListener("hashchange", follow);
  follow();
}
