# SPDX-License-Identifier: BSD-3-Clause
"""Pages and their tables are no wider than the window of a phone, or of a desktop: widths.py HTML_FOLDER
A headless Chromium lays out each page in a frame; where there is none, nothing is looked at."""
import functools
import html
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading

FRAMES = """<body><pre></pre><iframe style="border: 0"></iframe><script>
(async () => {
  const frame = document.querySelector('iframe'), out = [];
  let seen = 0;
  for (const width of [390, 1280]) {
    frame.width = width;
    for (const page of PAGES) {
      await new Promise(done => { frame.onload = done; frame.src = '/' + page; });
      const at = frame.contentDocument, whole = at.documentElement.scrollWidth;
      seen += at.readyState === 'complete' && at.querySelector('article') !== null;
      if (whole > width) out.push(`${page}: ${whole} wide in ${width}`);
      for (const table of at.querySelectorAll('table.docutils')) {
        const room = table.parentElement.clientWidth;
        if (table.scrollWidth > room) out.push(`${page}: a table is ${table.scrollWidth} wide in ${room}: ${table.rows[0].textContent.replace(/\\s+/g, ' ')}`);
      }
    }
  }
  document.querySelector('pre').textContent = JSON.stringify([seen, out]);
})();
</script>"""


class Site(http.server.SimpleHTTPRequestHandler):
    frames = b""

    def do_GET(self):
        if self.path != "/frames":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        return self.wfile.write(self.frames)

    def log_message(self, *_):
        pass


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit(print("widths: left out, because there is no Chromium"))
    pages = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.html")) if "<article" in path.read_text(encoding="utf-8")]
    Site.frames = FRAMES.replace("PAGES", json.dumps(pages)).encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1400,1000", "--virtual-time-budget=1000000",
                           "--dump-dom", f"http://127.0.0.1:{server.server_port}/frames"], capture_output=True, text=True, check=True)
    found = re.search(r"<pre>(.+?)</pre>", done.stdout, re.S)
    seen, faults = json.loads(html.unescape(found.group(1))) if found else (0, ["the browser has not looked at all pages"])
    print("\n".join(faults) or f"{len(pages)} pages fit")
    sys.exit(bool(faults) or seen != 2 * len(pages) or not pages)


main()
