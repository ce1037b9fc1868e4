# The pause is measured from release to landing: just in time, and just not.
device screen
bind double-tap wait
tap 0.5 0.5
399ms
tap 0.5 0.5
1000ms
tap 0.5 0.5
400ms
tap 0.5 0.5
1000ms

559ms double-tap
2039ms tap (1639ms)
2519ms tap (2119ms)
