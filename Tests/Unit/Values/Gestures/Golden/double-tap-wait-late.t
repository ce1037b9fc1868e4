# The pause is measured from release to landing: just in time, and just not.
bind double-tap wait
0ms tap 0.5 0.5
479ms tap 0.5 0.5
1559ms tap 0.5 0.5
2039ms tap 0.5 0.5
3119ms

559ms double-tap
2039ms tap (1639ms)
2519ms tap (2119ms)
