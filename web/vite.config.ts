import { defineConfig } from "vite";

const PAGES = "../service/mextrain_service/front/pages/table";
const FRONT = "http://127.0.0.1:7380";

export default defineConfig({
  // The paths of the game's pages and of the files beside them; see docs/web.md.
  base: "/",
  build: {
    outDir: PAGES,
    emptyOutDir: true,
    assetsDir: "assets",
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Nothing is put into a data: address, which the policy of the pages forbids for scripts.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { "/mextrain.v1.GameService": FRONT },
  },
});
