-- For wrk: sends the requests of a file in turn (a token, a tab, a body on each line) and prints one line of JSON.
local requests, n, i = {}, 0, 0
function init(args)
  for line in io.lines(os.getenv("LOAD_REQUESTS")) do
    local token, body = line:match("^(.-)\t(.*)$")
    n = n + 1
    requests[n] = wrk.format("POST", os.getenv("LOAD_PATH"), {
      ["Content-Type"] = "application/json", ["Accept"] = "application/json", ["Authorization"] = "Bearer " .. token,
    }, body)
  end
end
function request()
  i = i % n + 1
  return requests[i]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\nRESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d,"statuses":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.timeout, e.status))
end
