// The page of one fight that is over: it reads the replay document that stands in the page itself.
import "./replay.css";
