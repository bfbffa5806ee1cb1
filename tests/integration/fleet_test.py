"""Gateway and inference server as processes of their own, and several engines in one: traces, the result cache, replicas.

    fleet_test.py BOUQUET SOURCE_DIRECTORY
"""
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from server import Ivy, Server, Tulip, free_port

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
MODEL = f"{SOURCE}/tests/golden/models/pool-mean"
SMALL = ["--threads", "1", "--pin-threads", "off"]
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TEXTS = [f"two kinds of traffic {'engine ' * (i % 7)}" for i in range(40)]


def vectors(server, texts, **kwargs):
    status, _, reply = server.post("/v1/embeddings", {"input": texts}, **kwargs)
    assert status == 200, reply
    return [data["embedding"] for data in reply["data"]]


class FleetTest(unittest.TestCase):
    def test_a_trace_is_found_in_the_logs_of_both(self):
        with Tulip(BOUQUET, MODEL, *SMALL, "--leave-time", "0", log_level="debug") as tulip, \
                Ivy(BOUQUET, MODEL, [tulip.address], log_level="info") as ivy:
            vectors(ivy, TEXTS[:1], headers={"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"})
            vectors(ivy, TEXTS[:1], headers={"traceparent": f"00-{TRACE}-none"})
            for log, line in ((ivy.output(), "request  id="), (tulip.output(), "chunk  request=")):
                traced = [one for one in log.splitlines() if f"trace_id={TRACE}" in one]
                self.assertEqual(len(traced), 1, log)
                self.assertIn(line, traced[0])

    def test_a_cache_answers_what_was_asked_before(self):
        with Tulip(BOUQUET, MODEL, *SMALL, "--leave-time", "0") as tulip, \
                Ivy(BOUQUET, MODEL, [tulip.address], "--result-cache-mb", "8") as ivy:
            first = vectors(ivy, TEXTS)
            run = tulip.metric("bouquet_tulip_tokens_total")
            self.assertEqual(vectors(ivy, TEXTS[::-1]), first[::-1])
            self.assertEqual(tulip.metric("bouquet_tulip_tokens_total"), run)
            self.assertGreaterEqual(ivy.metric("bouquet_cache_hits_total"), len(TEXTS))
            self.assertGreater(ivy.metric("bouquet_cache_bytes"), 0)
            self.assertNotEqual(vectors(ivy, ["one engine"]), first[:1])
            self.assertGreater(tulip.metric("bouquet_tulip_tokens_total"), run)

    def test_several_engines_in_one_process_are_replicas_that_agree(self):
        with Server(BOUQUET, MODEL, "--threads", "1") as one:
            expected = vectors(one, TEXTS)
        for flags in (["--replicas", "3"], ["--processors", "0", "--processors", "0"]):
            with Server(BOUQUET, MODEL, *flags) as server:
                self.assertEqual(server.metric("bouquet_replicas"), 3 if "--replicas" in flags else 2)
                self.assertEqual(vectors(server, TEXTS), expected)
                self.assertEqual([vectors(server, [text])[0] for text in TEXTS[:10]], expected[:10])
                self.assertEqual(server.stop(), 0)

    def test_why_an_upstream_does_not_serve_is_told_once(self):
        nobody, no_upstream = f"127.0.0.1:{free_port()}", "bad::entry::x"
        with tempfile.NamedTemporaryFile("w", suffix=".upstreams") as upstreams, \
                Tulip(BOUQUET, MODEL, *SMALL, "--leave-time", "0") as tulip:
            metrics = f"127.0.0.1:{tulip.port}"
            upstreams.write(f"{metrics}\n")
            upstreams.flush()
            with Ivy(BOUQUET, MODEL, [tulip.address, nobody], "--upstreams-file", upstreams.name, log_level="info") as ivy:
                time.sleep(5)  # for several tries to connect
                for upstream, reason in ((nobody, "nobody listens there"), (metrics, "it speaks HTTP/1")):
                    told = [line for line in ivy.output().splitlines() if f"upstream={upstream} " in line]
                    self.assertEqual(len(told), 1, ivy.output())
                    self.assertIn(reason, told[0])
                upstreams.write(f"{no_upstream}\n")
                upstreams.flush()
                ivy.wait_until(lambda: f"{upstreams.name}:2: the upstream {no_upstream}" in ivy.output(), seconds=10)
                self.assertNotIn("reloaded", ivy.output())
                upstreams.truncate(0)
                upstreams.seek(0)
                upstreams.write("# none of those\n" + tulip.address + "\n")
                upstreams.flush()
                ivy.wait_until(lambda: f"an upstream is no longer looked for  upstream={metrics}" in ivy.output(), seconds=10)

    def test_a_tulip_takes_no_socket_from_another(self):
        with tempfile.TemporaryDirectory() as folder:
            address = f"unix:{folder}/tulip"
            with Tulip(BOUQUET, MODEL, *SMALL, "--leave-time", "0", address=address) as first, \
                    Ivy(BOUQUET, MODEL, [address]) as ivy:
                second = subprocess.run([BOUQUET, "tulip", MODEL, *SMALL, "--listen", address], capture_output=True, text=True, timeout=30)
                self.assertEqual(second.returncode, 1)
                self.assertIn(f"another server listens on {folder}/tulip", second.stderr)
                vectors(ivy, TEXTS[:1])
                first.stop(signal.SIGKILL)  # leaves its socket file
                with Tulip(BOUQUET, MODEL, *SMALL, "--leave-time", "0", address=address):
                    ivy.wait_until(ivy.is_ready)
                    vectors(ivy, TEXTS[:1])

    def test_a_tulip_that_leaves_is_not_ready(self):
        with Tulip(BOUQUET, MODEL, *SMALL, "--leave-time", "2") as tulip:
            self.assertEqual(tulip.get("/ready")[0], 200)
            tulip.send(signal.SIGTERM)
            tulip.wait_until(lambda: tulip.get("/ready")[0] == 503, seconds=1.5)
            self.assertEqual(tulip.get("/health")[0], 200)
            self.assertEqual(tulip.process.wait(20), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
