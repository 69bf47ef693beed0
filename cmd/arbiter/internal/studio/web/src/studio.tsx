import { render } from "preact";
import "./studio.css";

const root = document.getElementById("studio");
if (root) render(<main>Arbiter studio</main>, root);
